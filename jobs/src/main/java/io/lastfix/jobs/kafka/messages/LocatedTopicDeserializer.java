package io.lastfix.jobs.kafka.messages;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.CellRange;
import io.lastfix.model.located.LocatedRecordCodec;
import io.lastfix.model.located.LocatedRecordFormatException;
import io.lastfix.serialization.RecordTypes;
import java.io.Serializable;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic of located records. It skips a message that is not such a record: anyone may
 * write to a topic, and one message must not stop the job. It logs the place of a skipped message,
 * at most one line a minute in each subtask.
 *
 * <p>The topic is written at least once: the same record may come again, at any distance.
 *
 * <p>Metric, in the source's group: {@code locatedUnreadable}, messages that were skipped since the
 * task started, also by {@link #skip}. Messages read = records + {@code locatedUnreadable}.
 */
public final class LocatedTopicDeserializer
    implements KafkaRecordDeserializationSchema<LocatedRecord> {
  private static final Logger LOG = LoggerFactory.getLogger(LocatedTopicDeserializer.class);
  private static final long LOG_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  /** {@link System#nanoTime}, or a test's clock. */
  interface NanoClock extends LongSupplier, Serializable {}

  private final NanoClock nanoClock;

  private transient Counter unreadable;
  private transient long loggedUnreadable;
  private transient long loggedAtNanos;

  /** Reads by the machine's clock. */
  public LocatedTopicDeserializer() {
    this(System::nanoTime);
  }

  /** Reads by another clock, which only decides when a line is logged. */
  LocatedTopicDeserializer(NanoClock nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Registers the metric, before the first message. */
  public void register(MetricGroup metrics) {
    unreadable = metrics.counter("locatedUnreadable");
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> consumed, Collector<LocatedRecord> out) {
    LocatedRecord located = read(consumed);
    if (located != null) {
      out.collect(located);
    }
  }

  /** Returns the record of a message; null if it was skipped. */
  public @Nullable LocatedRecord read(ConsumerRecord<byte[], byte[]> consumed) {
    try {
      LocatedRecord located = LocatedRecordCodec.read(consumed.key(), consumed.value());
      Header range = consumed.headers().lastHeader(CellRange.HEADER);
      return range == null ? located : CellRange.addTo(located, range.value());
    } catch (LocatedRecordFormatException e) {
      skip(consumed, String.valueOf(e.getMessage()));
      return null;
    }
  }

  /**
   * Counts a message, and logs it if that is due.
   *
   * @return whether a line was written
   */
  public boolean skip(ConsumerRecord<byte[], byte[]> consumed, String reason) {
    unreadable.inc();
    long now = nanoClock.getAsLong();
    if (loggedUnreadable > 0 && now - loggedAtNanos < LOG_INTERVAL_NANOS) {
      return false;
    }
    LOG.warn(
        "Skipped a message of topic {}, partition {}, offset {}, which is no located record: {}."
            + " Messages skipped since the last such line: {}",
        consumed.topic(),
        consumed.partition(),
        consumed.offset(),
        reason,
        unreadable.getCount() - loggedUnreadable);
    loggedUnreadable = unreadable.getCount();
    loggedAtNanos = now;
    return true;
  }

  @Override
  public TypeInformation<LocatedRecord> getProducedType() {
    return RecordTypes.LOCATED_RECORD;
  }
}
