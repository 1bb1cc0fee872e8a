package io.lastfix.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.CellSite;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Taxi traces as if the cabs drove now: each record is of the present, states its cab's position
 * and cell, and is not returned before its time. At the end of the traces they begin again.
 */
public final class DrivingTaxis implements Iterator<OutgoingMessage>, AutoCloseable {
  /** Neither a gap in the traces nor a sleep of the machine takes longer. */
  private static final long LONGEST_WAIT_MILLIS = Duration.ofMinutes(1).toMillis();

  private final Path file;
  private final TaxiCells cells;
  private final double speed;
  private final LongSupplier clockMillis;
  private final LongConsumer waitMillis;
  private final RecordEncoder encoder = MessageFormat.JSON.newEncoder();
  private BufferedReader lines;
  private long row;
  private long before = Long.MIN_VALUE;
  private double due;

  /**
   * Opens the traces.
   *
   * @param file the traces by time, gzipped or plain, as {@link TaxiTraces} reads them
   * @param cells the towers, at least one
   * @param speed how many times as fast as they drove
   */
  public DrivingTaxis(Path file, List<CellSite> cells, double speed) throws IOException {
    this(
        file,
        cells,
        speed,
        System::currentTimeMillis,
        millis -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis)));
  }

  DrivingTaxis(
      Path file,
      List<CellSite> cells,
      double speed,
      LongSupplier clockMillis,
      LongConsumer waitMillis)
      throws IOException {
    if (!(speed > 0)) {
      throw new IllegalArgumentException("speed: expected more than 0, found " + speed);
    }
    this.file = file;
    this.cells = new TaxiCells(cells);
    this.speed = speed;
    this.clockMillis = clockMillis;
    this.waitMillis = waitMillis;
    lines = TaxiReport.open(file);
    due = clockMillis.getAsLong();
  }

  /** The traces never end; an interrupted thread does. */
  @Override
  public boolean hasNext() {
    return !Thread.currentThread().isInterrupted();
  }

  @Override
  public OutgoingMessage next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the thread is interrupted");
    }
    try {
      TaxiReport report = read();
      if (before != Long.MIN_VALUE) {
        due += Math.min((double) LONGEST_WAIT_MILLIS, (report.timestampMillis() - before) / speed);
      }
      before = report.timestampMillis();
      long now = await();
      Fix fix =
          new Fix(
              report.position(), PositionSource.GNSS, TaxiTraces.accuracyMeters(row), null, null);
      Place place = new Place.AtFixAndCell(fix, cells.at(report.position()), Radio.LTE);
      List<LocationRecord> records = List.of(new LocationRecord(report.cab(), place, now));
      return OutgoingMessage.of(
          MessageFormat.JSON, report.cab().getBytes(UTF_8), encoder.encode(records, row), records);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": " + e.getMessage(), e);
    }
  }

  private TaxiReport read() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      lines.close();
      lines = TaxiReport.open(file);
      row = 0;
      before = Long.MIN_VALUE;
      line = lines.readLine();
      if (line == null) {
        throw new IOException("there are no traces in it");
      }
    }
    row++;
    return TaxiReport.ofLine(line, row + 1);
  }

  /** Waits until the record is due. Returns the present. */
  private long await() {
    long now = clockMillis.getAsLong();
    while (now < due && hasNext()) {
      waitMillis.accept((long) Math.ceil(due - now));
      now = clockMillis.getAsLong();
    }
    if (now - due > LONGEST_WAIT_MILLIS) {
      // The machine slept, or its clock was adjusted.
      due = now;
    }
    return now;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
