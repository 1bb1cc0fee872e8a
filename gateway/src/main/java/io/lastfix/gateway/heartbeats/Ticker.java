package io.lastfix.gateway.heartbeats;

import com.linecorp.armeria.common.util.ThreadFactories;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a tick into each partition of {@code lastfix.heartbeats}, again and again, on a thread of
 * its own. While a partition's tick waits for Kafka, the partition gets no other one: what waits
 * would arrive all at once, and say nothing more.
 *
 * <p>A tick says that devices could have been heard. So there is none while the gateway takes no
 * records: that would mark devices offline because of an outage of ours.
 */
public final class Ticker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

  private final RecordSender sender;
  private final String topic;
  private final IntSupplier partitions;
  private final Supplier<Optional<String>> subscriptionFault;
  private final byte[] tick;
  private final Map<Integer, CompletableFuture<Stored>> last = new ConcurrentHashMap<>();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(ThreadFactories.newThreadFactory("ticks", true));

  /**
   * Starts; the first ticks are written at once.
   *
   * @param partitions the topic's number of partitions; may block, and fail with a {@code
   *     KafkaException}
   * @param subscriptionFault why this gateway takes no records now; empty if it does
   * @param gateway name of this process
   */
  public Ticker(
      RecordSender sender,
      String topic,
      IntSupplier partitions,
      Supplier<Optional<String>> subscriptionFault,
      String gateway,
      Duration interval) {
    this.sender = sender;
    this.topic = topic;
    this.partitions = partitions;
    this.subscriptionFault = subscriptionFault;
    tick = HeartbeatCodec.write(new Tick(gateway));
    var unused =
        thread.scheduleAtFixedRate(this::tick, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void tick() {
    try {
      Optional<String> reason = subscriptionFault.get();
      if (reason.isPresent()) {
        LOG.warn(
            "No ticks are written to {}, because no records are taken: {}", topic, reason.get());
        return;
      }
      int count = partitions.getAsInt();
      for (int partition = 0; partition < count; partition++) {
        CompletableFuture<Stored> before = last.get(partition);
        if (before == null || before.isDone()) {
          last.put(
              partition, sender.send(new OutgoingRecord(topic, null, tick, Map.of(), partition)));
        }
      }
    } catch (KafkaException e) {
      // The next one will do: a missing tick is what says that this gateway did not reach Kafka.
      LOG.warn("No ticks were written to {}: {}", topic, e.getMessage());
    } catch (RuntimeException e) {
      // The executor would end the task: no device would go offline any more.
      LOG.error("No ticks were written to {}", topic, e);
    }
  }

  /** Writes no more ticks. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
