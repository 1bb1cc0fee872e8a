package io.lastfix.jobs.kafka.connector;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * An {@link OffsetGap} on its way from the fetching thread to the task. It travels among the
 * partition's records, so the task meets it between the last record before the gap and the first
 * one behind it.
 */
final class OffsetGapRecord extends ConsumerRecord<byte[], byte[]> {
  private final OffsetGap gap;

  /** Carries that gap. */
  OffsetGapRecord(OffsetGap gap) {
    super(gap.partition().topic(), gap.partition().partition(), gap.resumeAt(), null, null);
    this.gap = gap;
  }

  /** Returns the gap. */
  OffsetGap gap() {
    return gap;
  }
}
