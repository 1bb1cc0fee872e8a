package io.lastfix.operate.status;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.console.health.Health;
import io.lastfix.console.health.PartState;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.ServerAccess;
import io.lastfix.operate.access.ServerCheck;
import io.lastfix.operate.status.Frame.BusiestCells;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;

/** Reads all that a frame shows; each server's part by itself, and all at once. */
public final class TopReadings implements AutoCloseable {
  /** How long a server is queried, and how long the first frame waits for it. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** How long a later frame waits for a server. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  private static final Duration COUNTED = Duration.ofMinutes(10);
  private static final int MOST_CELLS = 5;

  /** How long the busiest cells are kept: MongoDB adds up ten minutes of counts for them. */
  private static final Duration CELLS_KEPT = Duration.ofSeconds(30);

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
  public TopReadings(
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
      health.addOfKafka(Frame.UNREAD, admin -> unread(client, admin, kafka), ABSENCE);
    } else {
      health.add(Frame.UNREAD, null, ABSENCE);
    }
    boolean hasMongo = access.mongo().isPresent();
    health.add(Frame.CELLS, hasMongo ? this::busiestCells : null, ABSENCE, CELLS_KEPT);
    health.add(
        Frame.DEVICES,
        hasMongo || access.lastKnownLocationMongo().isPresent() ? this::devices : null,
        ABSENCE);
    if (!endpoints.isEmpty()) {
      StackHome home = StackHome.ofThisProcess();
      health.add(Frame.PROCESSES, () -> endedProcesses(home), "");
    }
    ServerCheck.ofOptional(endpoints)
        .forEach((name, server) -> health.add(name, reader(server), ""));
  }

  /** Reads the next frame; waits for some seconds at most. */
  public Frame read() {
    Instant at = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Map<String, PartState> parts = health.read(isFirst ? LIMIT : WAIT);
    isFirst = false;
    return new Frame(
        at, config.name(), config.kafka().groupId(), config.kafka().locationTopicPrefix(), parts);
  }

  private static Callable<?> reader(ServerCheck server) {
    return () -> {
      Optional<ServerCheck.Failure> failure = server.within().apply(LIMIT);
      if (failure.isPresent()) {
        throw new IOException(failure.get().problem());
      }
      return Map.of();
    };
  }

  private Frame.Unread unread(FlinkRest flink, Admin admin, KafkaOptions kafka) throws IOException {
    return new Frame.Unread(
        LocationReading.of(flink, flink.jobs())
            .unread(admin, kafka, config.source().abandonedTopics()));
  }

  /** The processes of the local stack that have ended; the JobManager sees that later, or never. */
  private static Frame.Processes endedProcesses(StackHome home) {
    return new Frame.Processes(
        StackState.read(home).stream()
            .flatMap(state -> state.processes().stream())
            .filter(process -> process.find().isEmpty())
            .map(RecordedProcess::name)
            .toList());
  }

  private BusiestCells busiestCells() throws IOException {
    CountQueries counts = cells.counts();
    Optional<TimeRange> range = counts.range(null, null, COUNTED);
    return range.isEmpty()
        ? new BusiestCells(null, null, null)
        : new BusiestCells(
            range.get().from(),
            range.get().to(),
            counts.top(range.get(), CountBy.CELL, MOST_CELLS).stream()
                .map(sum -> new BusiestCells.Cell(sum.key(), sum.n()))
                .toList());
  }

  private Frame.Stored devices() throws IOException {
    return new Frame.Stored(devices.lastKnownLocation().estimate());
  }

  @Override
  public void close() {
    health.close();
    cells.close();
    devices.close();
  }
}
