package io.lastfix.console.health;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cluster.gateway.GatewayClient;
import io.lastfix.console.config.HealthOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs and their servers are, in parts. Each part has its own {@code state}: {@code ok},
 * {@code unavailable} if its server does not answer, or {@code off} if no address of it is known.
 * All parts are read at once, and none waits for another. Thread-safe.
 */
public final class Health implements AutoCloseable {
  /** How long an answer waits for all parts together. */
  public static final Duration LIMIT = Duration.ofSeconds(5);

  private static final Duration KEPT = Duration.ofSeconds(2);

  /** An answer with numbers waits no longer for what they lack. */
  private static final Duration LOST_RECORDS_LIMIT = Duration.ofSeconds(1);

  private final ExecutorService executor =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "health");
            thread.setDaemon(true);
            return thread;
          });
  private final List<HealthPart> parts = new ArrayList<>();
  private final HealthPart lostRecords;
  private final @Nullable KafkaPart kafka;
  private final Duration limit;
  private final Duration kept;

  private Health(
      Duration limit, Duration kept, @Nullable Callable<?> lostRecords, @Nullable KafkaPart kafka) {
    this.kafka = kafka;
    this.limit = limit;
    this.kept = kept;
    this.lostRecords = new HealthPart("lost", lostRecords, "", kept, executor);
  }

  /**
   * The health that a console shows.
   *
   * @param store reads MongoDB's part
   * @param audit reads what the last audit said
   * @param hasPseudonyms whether messages name users that nothing else names
   */
  public static Health of(
      HealthOptions options, Callable<?> store, Callable<?> audit, boolean hasPseudonyms) {
    FlinkPart flink = flink(options, LIMIT);
    KafkaPart kafka = kafka(options, LIMIT, hasPseudonyms);
    Health health = new Health(LIMIT, KEPT, flink == null ? null : flink::lostRecords, kafka);
    String noKafka = "the console has no address of Kafka: start it with --kafka";
    health.addJobs(flink, "the console has no address of Flink: start it with --flink");
    health.add("lag", kafka == null ? null : kafka::lag, noKafka);
    health.add("rejected", kafka == null ? null : kafka::rejected, noKafka);
    String gateway = options.gateway();
    health.add(
        "gateway",
        gateway == null ? null : () -> gateway(gateway, hasPseudonyms),
        "the console has no address of a gateway: lastfix up --gateway starts one");
    health.add("mongodb", store, "");
    health.add("audit", audit, "");
    return health;
  }

  /**
   * The health of the jobs: the parts {@code ledger}, {@code flink} and {@code lag}.
   *
   * @param limit of each call of a server
   * @param kept how long a reading is used
   * @param absence what is said of a server without an address
   */
  public static Health ofJobs(
      HealthOptions options, Duration limit, Duration kept, String absence) {
    FlinkPart flink = flink(options, limit);
    KafkaPart kafka = kafka(options, limit, true);
    Health health = new Health(limit, kept, null, kafka);
    health.addJobs(flink, absence);
    health.add("lag", kafka == null ? null : kafka::lag, absence);
    return health;
  }

  /** With pseudonyms nothing else here names devices. */
  static ObjectNode gateway(String url, boolean hasPseudonyms)
      throws IOException, InterruptedException {
    GatewayClient.OverQuota over = GatewayClient.overQuota(url, LIMIT);
    ObjectNode answer =
        JsonNodeFactory.instance.objectNode().put("address", url).put("overQuota", over.devices());
    ArrayNode names = answer.putArray("overQuotaDevices");
    if (!hasPseudonyms) {
      over.names().forEach(names::add);
    }
    return answer;
  }

  private static @Nullable FlinkPart flink(HealthOptions options, Duration limit) {
    String url = options.flink();
    return url == null
        ? null
        : new FlinkPart(url, options.jobName(), options.analyticsJobName(), limit);
  }

  private static @Nullable KafkaPart kafka(
      HealthOptions options, Duration limit, boolean hasPseudonyms) {
    return options.kafka().isEmpty()
        ? null
        : new KafkaPart(
            options.kafka(),
            options.groupId(),
            new RejectedMessages(options.rejectedTopic(), !hasPseudonyms),
            limit);
  }

  /** Health without parts. */
  static Health empty(Duration limit) {
    return new Health(limit, KEPT, null, null);
  }

  private void addJobs(@Nullable FlinkPart flink, String absence) {
    add("ledger", flink == null ? null : flink::ledger, absence);
    add("flink", flink == null ? null : flink::jobs, absence);
  }

  /**
   * Adds a part.
   *
   * @param reader null: there is nothing to read
   * @param absence why there is nothing
   */
  public Health add(String name, @Nullable Callable<?> reader, String absence) {
    return add(name, reader, absence, kept);
  }

  /**
   * Adds a part whose reading costs much.
   *
   * @param ownKept how long one of its readings is used
   */
  public Health add(String name, @Nullable Callable<?> reader, String absence, Duration ownKept) {
    parts.add(new HealthPart(name, reader, absence, ownKept, executor));
    return this;
  }

  /**
   * Adds a part that is read from Kafka.
   *
   * @param absence what is said if no address of it is known
   */
  public Health addOfKafka(String name, KafkaReader reader, String absence) {
    KafkaPart part = kafka;
    return add(name, part == null ? null : () -> reader.read(part.admin()), absence);
  }

  /**
   * Begins to query how many located records Kafka deleted before the analytics job read them. What
   * it returns waits for the answer; empty if Flink does not know it, or takes longer than a
   * second.
   */
  public Supplier<OptionalLong> beginLostRecords() {
    HealthPart.Reading reading = lostRecords.begin();
    return () ->
        reading.await(LOST_RECORDS_LIMIT).as(OptionalLong.class).orElse(OptionalLong.empty());
  }

  /** Reads all parts, within the limit, as JSON. */
  public ObjectNode read() {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    read(limit).forEach((name, part) -> answer.set(name, part.toJson()));
    return answer;
  }

  /**
   * Reads all parts, in their order.
   *
   * @param wait what takes longer is {@code unavailable} so far
   */
  public Map<String, PartState> read(Duration wait) {
    Map<String, HealthPart.Reading> readings = new LinkedHashMap<>();
    parts.forEach(part -> readings.put(part.name(), part.begin()));
    Map<String, PartState> found = new LinkedHashMap<>();
    readings.forEach((name, reading) -> found.put(name, reading.await(wait)));
    return found;
  }

  @Override
  public void close() {
    executor.shutdownNow();
    if (kafka != null) {
      kafka.close();
    }
  }

  /** Reads a part of the health from Kafka. At most one call of a part runs at a time. */
  public interface KafkaReader {
    /**
     * Returns the fields of the part, a record, a map, or an object of JSON.
     *
     * @param admin the client of all parts, which the reader must not close
     */
    Object read(Admin admin) throws Exception;
  }
}
