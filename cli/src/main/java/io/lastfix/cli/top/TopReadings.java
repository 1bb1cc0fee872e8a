package io.lastfix.cli.top;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.cli.common.JobHealth;
import io.lastfix.cli.common.LocationReading;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.cli.common.ServerAccess;
import io.lastfix.cli.common.ServerCheck;
import io.lastfix.console.health.Health;
import io.lastfix.console.health.HealthReader;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.StackState;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.query.CountQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;

/** Reads all that a frame shows; each server's part by itself, and all at once. */
final class TopReadings implements AutoCloseable {
  /** How long a server is queried, and how long the first frame waits for it. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** How long a later frame waits for a server. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  private static final Duration COUNTED = Duration.ofMinutes(10);
  private static final int MOST_CELLS = 5;

  /** How long the busiest cells are kept: MongoDB adds up ten minutes of counts for them. */
  private static final Duration CELLS_KEPT = Duration.ofSeconds(30);

  /** The part of the local stack's processes. */
  static final String PROCESSES = "processes";

  private static final String ABSENCE = "no address: run lastfix up, or name it by an option";

  private final LocationJobConfig config;
  private final Health health;
  private final QuerySession cells;
  private final QuerySession devices;
  private boolean isFirst = true;

  /**
   * Readings of these servers.
   *
   * @param endpoints of the local stack, by name
   * @param interval between two frames; a reading that ends meanwhile is for the next one
   */
  TopReadings(
      LocationJobConfig config,
      ServerAccess access,
      Map<String, String> endpoints,
      Duration interval) {
    this.config = config;
    QueryOptions options = new QueryOptions(LIMIT, null, null);
    // Two, because a session is for one thread, and their servers may differ.
    cells = new QuerySession(config, options);
    devices = new QuerySession(config, options);
    health = Health.ofJobs(JobHealth.options(config, access), LIMIT, interval, ABSENCE);
    Optional<String> flink = access.flink();
    if (flink.isPresent() && access.kafka().isPresent()) {
      FlinkRest client = new FlinkRest(flink.get(), LIMIT);
      KafkaOptions kafka = access.kafka().get();
      health.addOfKafka("unread", admin -> unread(client, admin, kafka), ABSENCE);
    } else {
      health.add("unread", null, ABSENCE);
    }
    boolean hasMongo = access.mongo().isPresent();
    health.add("cells", hasMongo ? this::busiestCells : null, ABSENCE, CELLS_KEPT);
    health.add(
        "devices",
        hasMongo || access.lastKnownLocationMongo().isPresent() ? this::devices : null,
        ABSENCE);
    if (!endpoints.isEmpty()) {
      StackHome home = StackHome.ofThisProcess();
      health.add(PROCESSES, () -> endedProcesses(home), "");
    }
    ServerCheck.ofOptional(endpoints).forEach((name, check) -> health.add(name, reader(check), ""));
  }

  /** Reads the next frame; waits for some seconds at most. */
  ObjectNode read() {
    ObjectNode frame =
        JsonNodeFactory.instance
            .objectNode()
            .put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
            .put("job", config.name())
            .put("group", config.kafka().groupId())
            .put("topicPrefix", config.kafka().locationTopicPrefix());
    ObjectNode parts = health.read(isFirst ? LIMIT : WAIT);
    isFirst = false;
    return frame.setAll(parts);
  }

  private static HealthReader reader(Function<Duration, ServerCheck> check) {
    return () -> {
      ServerCheck found = check.apply(LIMIT);
      if (!found.answers()) {
        throw new IOException(found.problem());
      }
      return JsonNodeFactory.instance.objectNode();
    };
  }

  private ObjectNode unread(FlinkRest flink, Admin admin, KafkaOptions kafka) throws IOException {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ObjectNode topics = answer.putObject("topics");
    LocationReading.of(flink, flink.jobs())
        .unread(admin, kafka, config.source().abandonedTopics())
        .forEach(topics::put);
    return answer;
  }

  /** The processes of the local stack that have ended; the JobManager sees that later, or never. */
  private static ObjectNode endedProcesses(StackHome home) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    ArrayNode ended = answer.putArray("ended");
    StackState.read(home).stream()
        .flatMap(state -> state.processes().stream())
        .filter(process -> process.find().isEmpty())
        .forEach(process -> ended.add(process.name()));
    return answer;
  }

  private ObjectNode busiestCells() throws IOException {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    CountQueries counts = cells.counts();
    Optional<TimeRange> range = counts.range(null, null, COUNTED);
    if (range.isPresent()) {
      answer.put("from", range.get().from().toString()).put("to", range.get().to().toString());
      ArrayNode busiest = answer.putArray("busiest");
      counts
          .top(range.get(), CountBy.CELL, MOST_CELLS)
          .forEach(sum -> busiest.addObject().put("cell", sum.key()).put("records", sum.n()));
    }
    return answer;
  }

  private ObjectNode devices() throws IOException {
    return JsonNodeFactory.instance
        .objectNode()
        .put("located", devices.lastKnownLocation().estimate());
  }

  @Override
  public void close() {
    health.close();
    cells.close();
    devices.close();
  }
}
