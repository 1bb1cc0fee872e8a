package io.lastfix.store.history;

import java.io.Serializable;

/**
 * Limits on the partitions of History that records may create. Partitions around the current time
 * have no limit.
 *
 * @param newPerMinute maximum number of new partitions a minute, of all subtasks together; 1 or
 *     more
 * @param inAll number of existing partitions at which records create no more; 1 or more
 */
public record PartitionLimits(int newPerMinute, int inAll) implements Serializable {}
