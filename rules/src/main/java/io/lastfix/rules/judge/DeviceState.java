package io.lastfix.rules.judge;

import io.lastfix.model.LocatedRecord;
import java.util.Map;

/**
 * What is kept of a device between its records.
 *
 * @param last the last judged record; has a position
 * @param standings by the rule's id
 */
public record DeviceState(LocatedRecord last, Map<String, Standing> standings) {
  /** Copies the map. */
  public DeviceState {
    standings = Map.copyOf(standings);
  }
}
