package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;

/**
 * Converts taxi traces (CSV {@code cab_id,lat,lon,occupied,unix_time}, by time) into the reports of
 * a mobile network. The cab is the user, and {@link TaxiCells} names its cell.
 *
 * <p>Where the format has positions, a cab's records have three kinds in turn: its traced position
 * as that of a satellite receiver, the cell only, and both. The traces do not say how accurate they
 * are: the accuracy is made up, {@link #BEST_ACCURACY_METERS} to {@link #WORST_ACCURACY_METERS}.
 *
 * <p>In the order of their first appearance, cabs are assigned to four kinds of reports: single
 * JSON, single XML, JSON in batches (arrays and lines in turn), XML in batches. Every hundredth
 * message is sent again a little later, and the {@link BrokenMessages} are spread among the rest.
 * Every run has the same result.
 */
public final class TaxiTraces implements Iterator<OutgoingMessage>, AutoCloseable {
  static final int BEST_ACCURACY_METERS = 5;
  static final int WORST_ACCURACY_METERS = 24;

  /** Each further one states both. */
  private static final int AT_FIX = 0;

  private static final int AT_CELL = 1;
  private static final int KINDS = 3;

  private static final int BATCH_RECORDS = 25;
  private static final int ROWS_BETWEEN_BROKEN = 10_000;
  private static final int MESSAGES_BETWEEN_RESENT = 100;
  private static final int MESSAGES_UNTIL_RESENT = 50;

  private final Path file;
  private final BufferedReader lines;
  private final TaxiCells cells;
  private final Map<String, Batcher> batcherOfCab = new HashMap<>();
  private final Map<String, Integer> recordsOfCab = new HashMap<>();
  private final Batcher[] batchers;
  private final Queue<OutgoingMessage> ready = new ArrayDeque<>();
  private final Queue<OutgoingMessage> toResend = new ArrayDeque<>();
  private long rows;
  private long originals;
  private boolean ended;

  /**
   * Opens the traces.
   *
   * @param file the traces, gzipped or plain
   * @param cells the towers, at least one
   * @throws IOException if the file cannot be read or has another format
   */
  public TaxiTraces(Path file, List<CellSite> cells) throws IOException {
    this.file = file;
    this.cells = new TaxiCells(cells);
    batchers =
        new Batcher[] {
          new Batcher(1, MessageFormat.JSON),
          new Batcher(1, MessageFormat.ARCANUM),
          new Batcher(BATCH_RECORDS, MessageFormat.JSON, MessageFormat.NDJSON),
          new Batcher(BATCH_RECORDS, MessageFormat.ARCANUM)
        };
    lines = TaxiReport.open(file);
  }

  @Override
  public boolean hasNext() {
    try {
      while (ready.isEmpty() && !ended) {
        readRow();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": " + e.getMessage(), e);
    }
    return !ready.isEmpty();
  }

  @Override
  public OutgoingMessage next() {
    if (!hasNext()) {
      throw new NoSuchElementException(file + " is at its end");
    }
    return ready.remove();
  }

  private void readRow() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      end();
      return;
    }
    rows++;
    TaxiReport report = TaxiReport.ofLine(line, rows + 1);
    Batcher batcher =
        batcherOfCab.computeIfAbsent(
            report.cab(), cab -> batchers[batcherOfCab.size() % batchers.length]);
    batcher.add(record(report, batcher.hasPositions()));
    if (rows % ROWS_BETWEEN_BROKEN == 0
        && rows / ROWS_BETWEEN_BROKEN <= BrokenMessages.ALL.size()) {
      ready.add(BrokenMessages.ALL.get((int) (rows / ROWS_BETWEEN_BROKEN) - 1));
    }
  }

  private void end() {
    ended = true;
    for (Batcher batcher : batchers) {
      batcher.flush();
    }
    ready.addAll(toResend);
    toResend.clear();
  }

  private LocationRecord record(TaxiReport report, boolean hasPositions) {
    CellId cell = cells.at(report.position());
    int kind =
        hasPositions ? (recordsOfCab.merge(report.cab(), 1, Integer::sum) - 1) % KINDS : AT_CELL;
    Fix fix = new Fix(report.position(), PositionSource.GNSS, accuracyMeters(rows), null, null);
    Place place =
        switch (kind) {
          case AT_FIX -> new Place.AtFix(fix);
          case AT_CELL -> new Place.AtCell(cell, Radio.LTE);
          default -> new Place.AtFixAndCell(fix, cell, Radio.LTE);
        };
    return new LocationRecord(report.cab(), place, report.timestampMillis());
  }

  /** That of a row. */
  static double accuracyMeters(long row) {
    return BEST_ACCURACY_METERS + row % (WORST_ACCURACY_METERS - BEST_ACCURACY_METERS + 1);
  }

  private void send(OutgoingMessage message) {
    ready.add(message);
    originals++;
    if (originals % MESSAGES_BETWEEN_RESENT == 0) {
      toResend.add(message.again());
    } else if (originals % MESSAGES_BETWEEN_RESENT == MESSAGES_UNTIL_RESENT
        && !toResend.isEmpty()) {
      ready.add(toResend.remove());
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  /** One kind of report: its formats, and the records in a message. */
  private final class Batcher {
    private final MessageFormat[] formats;
    private final RecordEncoder[] encoders;
    private final int batchRecords;
    private final List<LocationRecord> batch = new ArrayList<>();
    private int messages;

    Batcher(int batchRecords, MessageFormat... formats) {
      this.batchRecords = batchRecords;
      this.formats = formats;
      encoders =
          Arrays.stream(formats).map(MessageFormat::newEncoder).toArray(RecordEncoder[]::new);
    }

    boolean hasPositions() {
      return formats[0].hasPositions();
    }

    void add(LocationRecord record) {
      batch.add(record);
      if (batch.size() == batchRecords) {
        flush();
      }
    }

    void flush() {
      if (batch.isEmpty()) {
        return;
      }
      int index = messages++ % formats.length;
      byte[] value = encoders[index].encode(batch, rows);
      byte[] key = batchRecords == 1 ? batch.get(0).user().getBytes(StandardCharsets.UTF_8) : null;
      send(OutgoingMessage.of(formats[index], key, value, batch));
      batch.clear();
    }
  }
}
