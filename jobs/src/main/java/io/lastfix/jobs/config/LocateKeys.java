package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.locate.LocateOptions;
import java.time.Duration;

/** The keys {@code locate.}: the limits of the join with the catalogue. */
final class LocateKeys {
  static final Key<Duration> MAX_WAIT =
      Key.duration(
              "locate.max-wait",
              "1 min",
              "How long a record waits for its cell to appear in the catalogue. After that it is"
                  + " forwarded without coordinates.")
          .where(wait -> wait.compareTo(Duration.ofHours(24)) <= 0, "0 s to 24 h");

  static final Key<Integer> MAX_WAITING_RECORDS =
      Key.atLeastOne(
          "locate.max-waiting-records",
          200_000,
          "Maximum number of waiting records in one subtask, over all cells. If there are more, the"
              + " oldest are forwarded without coordinates.");

  static final Key<Integer> MAX_WAITING_BYTES =
      Key.bytes(
          "locate.max-waiting-bytes",
          "64 mb",
          "Maximum memory of the waiting records in one subtask. If they need more, the oldest are"
              + " forwarded without coordinates. A record counts 360 bytes and two for each character"
              + " of its user, as if it were alone in its cell and on the heap.");

  private LocateKeys() {}

  static LocateOptions read(SettingsReader reader) {
    return new LocateOptions(
        reader.get(MAX_WAIT), reader.get(MAX_WAITING_RECORDS), reader.get(MAX_WAITING_BYTES));
  }
}
