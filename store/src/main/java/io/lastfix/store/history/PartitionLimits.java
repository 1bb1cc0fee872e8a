package io.lastfix.store.history;

import io.lastfix.store.connect.Checks;
import java.io.Serializable;

/**
 * How many partitions of History records may have made. Those of about now are always made.
 *
 * @param newPerMinute so many within a minute, by all subtasks together; 1 or more
 * @param inAll none any more when there are so many; 1 or more
 */
public record PartitionLimits(int newPerMinute, int inAll) implements Serializable {
  public PartitionLimits {
    Checks.atLeast("newPerMinute", newPerMinute, 1);
    Checks.atLeast("inAll", inAll, 1);
  }
}
