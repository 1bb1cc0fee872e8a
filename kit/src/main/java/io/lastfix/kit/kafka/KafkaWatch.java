package io.lastfix.kit.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka again and again, on a thread of its own, for the topics' metadata: whether it answers,
 * and each partition has a leader. Readiness reads the last finding, so that many probes cost Kafka
 * no more than one.
 */
public final class KafkaWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaWatch.class);

  private final Admin admin;
  private final Collection<String> topics;
  private final Duration interval;
  private final Thread thread;
  private volatile Optional<String> problem = Optional.of("Kafka was not asked yet");

  /**
   * Starts the thread.
   *
   * @param admin closed with this
   * @param interval between two questions, and the limit of each answer
   */
  public KafkaWatch(Admin admin, Collection<String> topics, Duration interval) {
    this.admin = admin;
    this.topics = topics;
    this.interval = interval;
    thread = new Thread(this::run, "kafka-watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** What is wrong with Kafka; empty if nothing is. */
  public Optional<String> problem() {
    return thread.isAlive()
        ? problem
        : Optional.of("the thread kafka-watch has ended: restart the program");
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Optional<String> found = ask();
        if (!found.equals(problem)) {
          LOG.info("Kafka: {}", found.orElse("ready"));
          problem = found;
        }
        TimeUnit.NANOSECONDS.sleep(interval.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<String> ask() throws InterruptedException {
    try {
      var found =
          admin
              .describeTopics(
                  topics, new DescribeTopicsOptions().timeoutMs((int) interval.toMillis()))
              .allTopicNames()
              .get(2 * interval.toMillis(), TimeUnit.MILLISECONDS);
      return found.values().stream()
          .flatMap(
              topic ->
                  topic.partitions().stream()
                      .filter(partition -> partition.leader() == null)
                      .map(
                          partition ->
                              "no leader of " + topic.name() + "-" + partition.partition()))
          .findFirst();
    } catch (ExecutionException | TimeoutException | CancellationException | KafkaException e) {
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      return Optional.of("no metadata: " + cause.getClass().getSimpleName());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    admin.close(Duration.ofSeconds(1));
  }
}
