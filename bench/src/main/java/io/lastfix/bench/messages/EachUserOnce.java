package io.lastfix.bench.messages;

import io.lastfix.model.CellSite;
import io.lastfix.model.LocationRecord;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.OutgoingMessage;
import io.lastfix.workload.RecordEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** One message for each of N users, in the format {@code json}, all with the same timestamp. */
public final class EachUserOnce implements Iterator<OutgoingMessage> {
  /** A device's number has 15 digits, as an IMEI has. */
  private static final long FIRST_USER = 350_000_000_000_000L;

  private final RecordEncoder encoder = MessageFormat.JSON.newEncoder();
  private final int users;
  private final Instant timestamp;
  private final List<CellSite> cells;
  private int next;

  /** The message of each user once, at these cells in turn. */
  public EachUserOnce(int users, Instant timestamp, List<CellSite> cells) {
    this.users = users;
    this.timestamp = timestamp;
    this.cells = cells;
  }

  @Override
  public boolean hasNext() {
    return next < users;
  }

  @Override
  public OutgoingMessage next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all %,d users have reported".formatted(users));
    }
    CellSite cell = cells.get(next % cells.size());
    String user = Long.toString(FIRST_USER + next);
    List<LocationRecord> records =
        List.of(new LocationRecord(user, cell.cell(), cell.radio(), timestamp.toEpochMilli()));
    OutgoingMessage message =
        OutgoingMessage.of(
            MessageFormat.JSON,
            user.getBytes(StandardCharsets.UTF_8),
            encoder.encode(records, next),
            records);
    next++;
    return message;
  }
}
