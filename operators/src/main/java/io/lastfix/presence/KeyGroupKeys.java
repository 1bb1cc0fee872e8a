package io.lastfix.presence;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/** A key for each key group: what is sent to all of them reaches every subtask behind a keyBy. */
final class KeyGroupKeys {
  private KeyGroupKeys() {}

  /**
   * Returns one text for each key group, in any order.
   *
   * @param keyGroups number of key groups, 1 to 32,768
   */
  static List<String> of(int keyGroups) {
    List<String> keys = new ArrayList<>(keyGroups);
    BitSet found = new BitSet(keyGroups);
    for (int i = 0; keys.size() < keyGroups; i++) {
      String key = Integer.toString(i);
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
      if (!found.get(group)) {
        found.set(group);
        keys.add(key);
      }
    }
    return keys;
  }
}
