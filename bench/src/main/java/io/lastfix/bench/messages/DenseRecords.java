package io.lastfix.bench.messages;

import io.lastfix.model.CellSite;
import io.lastfix.model.LocationRecord;
import io.lastfix.workload.LocationGenerator;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.OutgoingMessage;
import io.lastfix.workload.RecordEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;

/**
 * Messages with one record each, with any number of records in a millisecond, as in a network that
 * many devices report to. The devices report in turn, so that no two records are the same as long
 * as a millisecond has fewer records than there are devices.
 */
public final class DenseRecords implements Iterator<OutgoingMessage> {
  private static final double SHARE_THAT_MOVES = 0.3;

  private final MessageFormat format;
  private final RecordEncoder encoder;
  private final List<CellSite> cells;
  private final LongUnaryOperator timestampMillis;
  private final SplittableRandom random = new SplittableRandom(1);
  private final int[] cellOfUser;
  private final long count;
  private long next;

  /**
   * Messages of N devices at these cells.
   *
   * @param timestampMillis the timestamp of a record by its number, which is 0 for the first
   */
  public DenseRecords(
      MessageFormat format,
      long count,
      int users,
      List<CellSite> cells,
      LongUnaryOperator timestampMillis) {
    this.format = format;
    this.encoder = format.newEncoder();
    this.count = count;
    this.cells = cells;
    this.timestampMillis = timestampMillis;
    cellOfUser = new int[users];
    Arrays.setAll(cellOfUser, user -> random.nextInt(cells.size()));
  }

  @Override
  public boolean hasNext() {
    return next < count;
  }

  @Override
  public OutgoingMessage next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all %,d records were generated".formatted(count));
    }
    int number = (int) (next % cellOfUser.length);
    if (random.nextDouble() < SHARE_THAT_MOVES) {
      cellOfUser[number] = (cellOfUser[number] + 1) % cells.size();
    }
    CellSite cell = cells.get(cellOfUser[number]);
    LocationRecord record =
        encoder.asRead(
            new LocationRecord(
                LocationGenerator.user(number),
                cell.cell(),
                cell.radio(),
                timestampMillis.applyAsLong(next)));
    List<LocationRecord> records = List.of(record);
    OutgoingMessage message =
        OutgoingMessage.of(
            format,
            record.user().getBytes(StandardCharsets.UTF_8),
            encoder.encode(records, next),
            records);
    next++;
    return message;
  }
}
