package io.lastfix.store.history;

import java.time.Instant;

/** Two clocks differ too much to decide which partitions are expired. Nothing is dropped. */
public final class ClocksDisagreeException extends Exception {
  ClocksDisagreeException(Instant here, Instant server) {
    super(
        ("No partition is dropped: this machine's clock shows %s and MongoDB's %s, more than"
                + " %d minutes apart; correct the wrong clock")
            .formatted(here, server, PartitionExpiry.MOST_APART.toMinutes()));
  }
}
