package io.lastfix.cli.stack;

import io.lastfix.cli.flink.FlinkRest;
import io.lastfix.cli.kafka.ConsumerLag;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.sink.MongoOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;

/**
 * A look at the servers.
 *
 * @param healthy whether every server answers and every process of the local stack runs
 * @param servers MongoDB, that of Last Known Location where it has its own, Kafka, Flink
 * @param processes of the local stack
 * @param jobs of the Flink cluster, ended ones too
 * @param lag by consumer group and topic, in messages: the end offset less the committed one,
 *     summed over partitions. A Flink job commits at its checkpoints, so this falls stepwise.
 */
public record StackStatus(
    boolean healthy,
    List<Server> servers,
    List<ServerProcessState> processes,
    List<FlinkRest.Job> jobs,
    Map<String, Map<String, Long>> lag) {
  /** What the jobs' consumer groups are named by. */
  private static final String GROUP_PREFIX = "lastfix";

  /**
   * One server as its clients see it.
   *
   * @param endpoint without passwords; empty where none is known
   * @param detail why it doesn't answer; empty where it does
   */
  public record Server(String name, String endpoint, boolean answers, String detail) {}

  /** One process of the local stack. */
  public record ServerProcessState(String name, long pid, boolean running, String logFile) {}

  /** Asks each server, for some seconds at most. */
  public static StackStatus collect(StackHome home, ServerAccess access) {
    StackState state = StackState.read(home).orElse(StackState.empty());
    List<ServerProcessState> processes =
        state.processes().stream()
            .map(p -> new ServerProcessState(p.name(), p.pid(), p.find().isPresent(), p.logFile()))
            .toList();
    List<Server> servers = new ArrayList<>();
    servers.add(server("mongodb", access.mongo(), MongoOptions::uri, ServerCheck::mongo));
    if (access.lastKnownLocationMongo().isPresent()) {
      servers.add(
          server(
              "mongodb (last known location)",
              access.lastKnownLocationMongo(),
              MongoOptions::uri,
              ServerCheck::mongo));
    }
    Server kafka =
        server("kafka", access.kafka(), KafkaOptions::bootstrapServers, ServerCheck::kafka);
    servers.add(kafka);
    Server flink = server("flink", access.flink(), address -> address, ServerCheck::flink);
    servers.add(flink);
    boolean healthy =
        servers.stream().allMatch(Server::answers)
            && processes.stream().allMatch(ServerProcessState::running);
    return new StackStatus(
        healthy,
        servers,
        processes,
        flink.answers() ? jobs(access.flink().orElseThrow()) : List.of(),
        kafka.answers() ? lag(access.kafka().orElseThrow()) : Map.of());
  }

  private static <T> Server server(
      String name,
      Optional<T> access,
      Function<T, String> endpoint,
      Function<T, ServerCheck> question) {
    if (access.isEmpty()) {
      return new Server(name, "", false, "not started; run: lastfix up");
    }
    ServerCheck check = question.apply(access.get());
    return new Server(
        name, Redaction.redact(endpoint.apply(access.get())), check.answers(), check.detail());
  }

  private static Map<String, Map<String, Long>> lag(KafkaOptions kafka) {
    try (Admin admin = KafkaServer.connect(kafka.clientProperties())) {
      return new ConsumerLag(admin).byGroupAndTopic(GROUP_PREFIX);
    } catch (IOException e) {
      throw new StackException(
          "Kafka at " + kafka.bootstrapServers() + " doesn't tell its lag: " + e.getMessage(), e);
    }
  }

  private static List<FlinkRest.Job> jobs(String address) {
    try {
      return new FlinkRest(address).jobs();
    } catch (IOException e) {
      throw new StackException("Flink doesn't tell its jobs: " + e, e);
    }
  }
}
