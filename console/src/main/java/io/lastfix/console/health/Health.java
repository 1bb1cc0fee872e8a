package io.lastfix.console.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.console.config.HealthOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs and their servers are, in parts. Each part has its own {@code state}: {@code ok},
 * {@code unavailable} if its server does not answer, or {@code off} if the console has no address
 * of it. All parts are read at once, and none waits for another. Thread-safe.
 */
public final class Health implements AutoCloseable {
  /** How long an answer waits for all parts together. */
  public static final Duration LIMIT = Duration.ofSeconds(5);

  private static final Duration KEPT = Duration.ofSeconds(2);

  /** An answer with numbers waits no longer for what they lack. */
  private static final Duration LATE_RECORDS_LIMIT = Duration.ofSeconds(1);

  private final ExecutorService executor =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "health");
            thread.setDaemon(true);
            return thread;
          });
  private final List<HealthPart> parts = new ArrayList<>();
  private final HealthPart lateRecords;
  private final Duration limit;

  private Health(Duration limit, HealthPart.@Nullable Reader lateRecords) {
    this.limit = limit;
    this.lateRecords = part("late", lateRecords, "");
  }

  /**
   * The health of a job.
   *
   * @param store reads MongoDB's part
   * @param audit reads what the last audit said
   * @param hasPseudonyms whether messages name users that nothing else names
   */
  public static Health of(
      HealthOptions options, StorePart store, StorePart audit, boolean hasPseudonyms) {
    String flinkUrl = options.flink();
    FlinkPart flink =
        flinkUrl == null
            ? null
            : new FlinkPart(flinkUrl, options.jobName(), options.analyticsJobName(), LIMIT);
    Health health = new Health(LIMIT, flink == null ? null : flink::lateRecords);
    KafkaPart kafka =
        options.kafka().isEmpty()
            ? null
            : new KafkaPart(
                options.kafka(),
                options.groupId(),
                new RejectedMessages(options.rejectedTopic(), !hasPseudonyms),
                LIMIT);
    String noFlink = "the console has no address of Flink: start it with --flink";
    String noKafka = "the console has no address of Kafka: start it with --kafka";
    health.add("ledger", flink == null ? null : flink::ledger, noFlink);
    health.add("flink", flink == null ? null : flink::jobs, noFlink);
    health.add("lag", kafka == null ? null : kafka::lag, noKafka);
    health.add("rejected", kafka == null ? null : kafka::rejected, noKafka);
    health.add("mongodb", store::read, "");
    health.add("audit", audit::read, "");
    return health;
  }

  /** Health without parts. */
  static Health empty(Duration limit) {
    return new Health(limit, null);
  }

  /** Reads a part that MongoDB has. */
  public interface StorePart {
    /** Returns the fields of the part. */
    ObjectNode read();
  }

  Health add(String name, HealthPart.@Nullable Reader reader, String off) {
    parts.add(part(name, reader, off));
    return this;
  }

  private HealthPart part(String name, HealthPart.@Nullable Reader reader, String off) {
    return new HealthPart(name, reader, off, KEPT, executor);
  }

  /**
   * Begins to query how many located records came too late for the analytics job. What it returns
   * waits for the answer; empty if Flink does not know it, or takes longer than a second.
   */
  public Supplier<OptionalLong> beginLateRecords() {
    HealthPart.Reading reading = lateRecords.begin();
    return () -> {
      JsonNode found = reading.await(LATE_RECORDS_LIMIT).path(FlinkPart.TOO_LATE);
      return found.isNumber() ? OptionalLong.of(found.asLong()) : OptionalLong.empty();
    };
  }

  /** Reads all parts, for {@link #LIMIT} at most. */
  public ObjectNode read() {
    List<HealthPart.Reading> readings = parts.stream().map(HealthPart::begin).toList();
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < parts.size(); i++) {
      answer.set(parts.get(i).name(), readings.get(i).await(limit));
    }
    return answer;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
