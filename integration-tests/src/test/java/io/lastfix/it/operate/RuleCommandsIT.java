package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.rules.KafkaRuleTopic;
import io.lastfix.operate.rules.RuleStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code rule} and {@code fence} at a real broker. */
class RuleCommandsIT {
  private static final String LEFT =
      """
      id: left-airport
      when: {fence: sfo, is: left, for: 60s}
      """;

  private static TestStack stack;

  @TempDir private Path folder;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  private static Result lastfix(String topic, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--kafka", stack.kafka(), "--set", "rules.topic=" + topic));
    return LastfixInProcess.run(all.toArray(String[]::new));
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  @Test
  void whatIsPutIsListedPausedAndDeleted() throws Exception {
    String topic = "rule-commands";
    String rule = file("left.yaml", LEFT);
    String fence = file("sfo.json", "{\"type\":\"Point\",\"coordinates\":[-122.388,37.6155]}");

    assertThat(lastfix(topic, "rule", "list").mustExitWith(1).err())
        .contains("there is no topic rule-commands, so neither a rule nor a fence is stored");
    assertThat(lastfix(topic, "rule", "put", rule).mustExitWith(1).err())
        .contains(rule + ":2:15: there is no fence sfo: put it first with lastfix fence put");

    assertThat(
            lastfix(topic, "fence", "put", "sfo", fence, "--radius", "1500").mustExitWith(0).out())
        .isEqualTo("The fence sfo is stored as version 1\n");
    assertThat(lastfix(topic, "rule", "put", rule).mustExitWith(0).out())
        .isEqualTo("The rule left-airport is stored as version 1; no job evaluates rules yet\n");
    assertThat(lastfix(topic, "rule", "put", rule).mustExitWith(0).out())
        .isEqualTo("The rule left-airport is stored already, as version 1\n");
    assertThat(lastfix(topic, "rule", "show", "left-airport").mustExitWith(0).out())
        .isEqualTo(LEFT);
    assertThat(lastfix(topic, "fence", "list").mustExitWith(0).out())
        .contains("sfo    1        circle of 1500 m");
    String shown = lastfix(topic, "fence", "show", "sfo").mustExitWith(0).out();
    assertThat(lastfix(topic, "fence", "put", "sfo", file("shown.json", shown)).out())
        .isEqualTo("The fence sfo is stored already, as version 1\n");

    lastfix(topic, "rule", "pause", "left-airport").mustExitWith(0);
    assertThat(
            lastfix(topic, "rule", "list", "--json").mustExitWith(0).json().path(0).path("state"))
        .hasToString("\"paused\"");
    assertThat(lastfix(topic, "fence", "delete", "sfo").mustExitWith(1).err())
        .contains("the fence sfo is named by rules: change or delete left-airport first");
    lastfix(topic, "rule", "delete", "left-airport").mustExitWith(0);
    lastfix(topic, "fence", "delete", "sfo").mustExitWith(0);
    assertThat(lastfix(topic, "rule", "list", "--json").mustExitWith(0).json()).isEmpty();
  }

  @Test
  void theTopicHasOnePartition_AndIsCompacted() throws Exception {
    String topic = "rule-commands-made";
    String fence = file("a.json", "{\"type\":\"Point\",\"coordinates\":[0,0]}");
    lastfix(topic, "fence", "put", "a", fence, "--radius", "5").mustExitWith(0);

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()))) {
      assertThat(admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions())
          .hasSize(1);
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      assertThat(
              admin
                  .describeConfigs(List.of(resource))
                  .all()
                  .get()
                  .get(resource)
                  .get("cleanup.policy")
                  .value())
          .isEqualTo("compact");
    }
  }

  @Test
  void aTopicWithMorePartitionsIsRefused() throws Exception {
    String topic = "rule-commands-partitions";
    String rule = file("a.yaml", "{id: a, when: {expr: far}}");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, 2, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();
    }

    assertThat(lastfix(topic, "rule", "put", rule).mustExitWith(1).err())
        .contains("has 2 partitions, but rules need the order of one");
    assertThat(lastfix(topic, "rule", "list").mustExitWith(1).err())
        .contains("has 2 partitions, but rules need the order of one");
  }

  @Test
  void operatorsThatPutOneIdAtOnceGetDifferentVersions() throws Exception {
    String topic = "rule-commands-race";
    String first = file("first.yaml", "{id: raced, when: {expr: far}}");
    lastfix(topic, "rule", "put", first).mustExitWith(0);
    KafkaOptions kafka =
        LocationJobConfig.load(
                null, List.of("kafka.bootstrap-servers=" + stack.kafka()), name -> null)
            .kafka();
    int operators = 3;
    int puts = 4;
    CyclicBarrier together = new CyclicBarrier(operators);
    ExecutorService threads = Executors.newFixedThreadPool(operators);
    List<Long> versions = new ArrayList<>();
    try {
      List<Future<List<Long>>> running = new ArrayList<>();
      for (int operator = 0; operator < operators; operator++) {
        String name = "operator-" + operator;
        Callable<List<Long>> put =
            () -> {
              RuleStore store =
                  new RuleStore(
                      new KafkaRuleTopic(kafka, topic), false, name, InstantSource.system());
              List<Long> mine = new ArrayList<>();
              for (int i = 0; i < puts; i++) {
                together.await(1, TimeUnit.MINUTES);
                String yaml = "{id: raced, when: {expr: 'user == \"%s-%d\"'}}".formatted(name, i);
                mine.add(store.putRule(yaml).version());
              }
              return mine;
            };
        running.add(threads.submit(put));
      }
      for (Future<List<Long>> future : running) {
        versions.addAll(future.get(2, TimeUnit.MINUTES));
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(versions).hasSize(operators * puts).doesNotHaveDuplicates();
    assertThat(
            lastfix(topic, "rule", "list", "--json")
                .mustExitWith(0)
                .json()
                .path(0)
                .path("version")
                .asLong())
        .isEqualTo(versions.stream().mapToLong(Long::longValue).max().orElseThrow());
  }
}
