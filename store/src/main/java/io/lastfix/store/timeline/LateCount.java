package io.lastfix.store.timeline;

import io.lastfix.store.counts.NumberKind;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;

/**
 * How many records of an hour a subtask of the analytics job has left out of a kind of numbers
 * within ten minutes of processing, because they came too late. A greater one of the same {@code
 * burst} replaces it. The documents:
 *
 * <pre>
 * {_id: {w: Date, by: "counts" | "density" | …, k: burst}, n: Long, since: Date, state: "closed"}
 * </pre>
 *
 * <p>{@code lastfix analyze} removes those of the hours that it has computed again from History. If
 * the stream may still rewrite such an hour, their state is {@link
 * io.lastfix.store.counts.WindowCount.State#BATCH} instead.
 *
 * @param hourMillis the start of the hour of the records' timestamps, in epoch milliseconds
 * @param kind the numbers that lack them
 * @param burst the subtask and the time of processing; unique over all attempts of all jobs
 * @param records how many; 1 or more. Repetitions count, since they cannot be told from others
 * @param sinceMillis when the first of them was left out, by the job's clock, in epoch milliseconds
 */
public record LateCount(
    long hourMillis, NumberKind kind, String burst, long records, long sinceMillis)
    implements StoredResult {
  /** Length of an hour, in milliseconds. */
  public static final long HOUR_MILLIS = 3_600_000;

  /** Returns the first instant of the hour that contains the timestamp, both in milliseconds. */
  public static long hourOf(long timestampMillis) {
    return timestampMillis - Math.floorMod(timestampMillis, HOUR_MILLIS);
  }

  @Override
  public long timeMillis() {
    return hourMillis;
  }

  @Override
  public BsonDocument id() {
    return ResultConverter.idOfWindow(hourMillis, kind.text()).append("k", new BsonString(burst));
  }

  @Override
  public WindowState state() {
    return WindowState.CLOSED;
  }

  @Override
  public BsonDocument fields() {
    return new BsonDocument("n", new BsonInt64(records))
        .append("since", new BsonDateTime(sinceMillis));
  }

  @Override
  public int charsOfId() {
    return kind.text().length() + burst.length();
  }
}
