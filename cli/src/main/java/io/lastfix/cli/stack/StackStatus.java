package io.lastfix.cli.stack;

import io.lastfix.cli.flink.FlinkRest;
import io.lastfix.cli.kafka.ConsumerLag;
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
 * @param servers MongoDB, Kafka, Flink, in this order
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
  public static StackStatus collect(StackHome home, EndpointOverrides external) {
    StackState state = StackState.read(home).orElse(StackState.empty());
    Optional<String> mongo = endpoint(external.mongoUri(), state, "mongodb");
    Optional<String> kafka = endpoint(external.kafka(), state, "kafka");
    Optional<String> flink = endpoint(external.flink(), state, "flink");
    List<ServerProcessState> processes =
        state.processes().stream()
            .map(p -> new ServerProcessState(p.name(), p.pid(), p.find().isPresent(), p.logFile()))
            .toList();
    List<Server> servers = new ArrayList<>();
    servers.add(server("mongodb", mongo, ServerCheck::mongo));
    servers.add(server("kafka", kafka, ServerCheck::kafka));
    servers.add(server("flink", flink, ServerCheck::flink));
    boolean healthy =
        servers.stream().allMatch(Server::answers)
            && processes.stream().allMatch(ServerProcessState::running);
    return new StackStatus(
        healthy,
        servers,
        processes,
        servers.get(2).answers() ? jobs(flink.orElseThrow()) : List.of(),
        servers.get(1).answers() ? lag(kafka.orElseThrow()) : Map.of());
  }

  private static Optional<String> endpoint(
      Optional<String> external, StackState state, String service) {
    return external.or(() -> Optional.ofNullable(state.endpoints().get(service)));
  }

  private static Server server(
      String name, Optional<String> endpoint, Function<String, ServerCheck> question) {
    if (endpoint.isEmpty()) {
      return new Server(name, "", false, "not started; run: lastfix up");
    }
    ServerCheck check = question.apply(endpoint.get());
    return new Server(name, Redaction.redact(endpoint.get()), check.answers(), check.detail());
  }

  private static Map<String, Map<String, Long>> lag(String bootstrapServers) {
    try (Admin admin = KafkaServer.connect(bootstrapServers)) {
      return new ConsumerLag(admin).byGroupAndTopic(GROUP_PREFIX);
    } catch (IOException e) {
      throw new StackException(
          "Kafka at " + bootstrapServers + " doesn't tell its lag: " + e.getMessage(), e);
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
