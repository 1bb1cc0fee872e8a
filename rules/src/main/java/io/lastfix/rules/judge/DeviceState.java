package io.lastfix.rules.judge;

import io.lastfix.model.LocatedRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a device between its records.
 *
 * @param user its id
 * @param last the last judged record; has a position. Null if there was none
 * @param arrivedMillis as in {@link Silence}, of the silence since that record; {@link
 *     Standing#NONE} if there was none
 * @param offline null if the device is not offline
 * @param standings by the rule's id
 */
public record DeviceState(
    String user,
    @Nullable LocatedRecord last,
    long arrivedMillis,
    @Nullable Silence offline,
    Map<String, Standing> standings) {
  /** Copies the map. */
  public DeviceState {
    standings = Map.copyOf(standings);
  }

  /** Returns the silence since the last record; null if there was none. */
  @Nullable Silence sinceRecord() {
    return last == null
        ? null
        : new Silence(last.timestampMillis(), last.timestampMillis(), arrivedMillis);
  }
}
