package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.CellPublisher;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import io.lastfix.operate.rules.KafkaRuleTopic;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.operate.rules.RulesOfUser;
import io.lastfix.rules.follow.AppliedReader;
import io.lastfix.rules.follow.RuleFollower;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.topic.RuleMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
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
    all.addAll(List.of("--set", "rules.applied-topic=" + applied(topic)));
    return LastfixInProcess.run(all.toArray(String[]::new));
  }

  private static String applied(String topic) {
    return topic + ".applied";
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
        .isEqualTo("The fence sfo is stored as version 1; no job 'rules' runs\n");
    assertThat(lastfix(topic, "rule", "put", rule).mustExitWith(0).out())
        .isEqualTo("The rule left-airport is stored as version 1; no job 'rules' runs\n");
    assertThat(lastfix(topic, "rule", "put", rule).mustExitWith(0).out())
        .isEqualTo("The rule left-airport is stored already, as version 1; no job 'rules' runs\n");
    assertThat(lastfix(topic, "rule", "show", "left-airport").mustExitWith(0).out())
        .isEqualTo(LEFT);
    assertThat(lastfix(topic, "fence", "list").mustExitWith(0).out())
        .contains("sfo    1        circle of 1500 m");
    String shown = lastfix(topic, "fence", "show", "sfo").mustExitWith(0).out();
    assertThat(
            lastfix(topic, "fence", "put", "sfo", file("shown.json", shown), "--wait", "0s").out())
        .isEqualTo("The fence sfo is stored already, as version 1\n");

    lastfix(topic, "rule", "pause", "left-airport").mustExitWith(0);
    assertThat(
            lastfix(topic, "rule", "list", "--json").mustExitWith(0).json().path(0).path("state"))
        .hasToString("\"paused\"");
    assertThat(lastfix(topic, "rule", "show", "left-airport").mustExitWith(0).err())
        .contains("The rule left-airport is paused: no reason was given\n");
    assertThat(lastfix(topic, "fence", "delete", "sfo").mustExitWith(1).err())
        .contains("the fence sfo is named by rules: change or delete left-airport first");
    assertThat(lastfix(topic, "rule", "delete", "left-airport").mustExitWith(0).out())
        .isEqualTo("The rule left-airport is deleted; no job 'rules' runs\n");
    assertThat(lastfix(topic, "fence", "delete", "sfo", "--json").mustExitWith(0).json().toString())
        .isEqualTo(
            "{\"id\":\"sfo\",\"version\":2,\"written\":true,\"job\":null,\"subtasks\":0,\"missing\":[]}");
    assertThat(lastfix(topic, "rule", "list", "--json").mustExitWith(0).json()).isEmpty();
  }

  @Test
  void eachTopicHasOnePartition_AndIsCompacted() throws Exception {
    String topic = "rule-commands-made";
    String fence = file("a.json", "{\"type\":\"Point\",\"coordinates\":[0,0]}");
    lastfix(topic, "fence", "put", "a", fence, "--radius", "5").mustExitWith(0);

    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()))) {
      for (String name : List.of(topic, applied(topic))) {
        assertThat(admin.describeTopics(List.of(name)).allTopicNames().get().get(name).partitions())
            .hasSize(1);
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
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
  }

  @Test
  void whatIsTooSmallForItsCellsIsStoredWithAWarning() throws Exception {
    String topic = "rule-commands-cells";
    String cells = "kafka.cells-topic=" + topic + ".cells";
    String fence = file("sfo.json", "{\"type\":\"Point\",\"coordinates\":[-122.388,37.6155]}");
    String rule = file("in.yaml", "{id: in, when: {fence: sfo, is: inside, certainty: 0.6}}");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()))) {
      admin.createTopics(List.of(new NewTopic(topic + ".cells", 1, (short) 1))).all().get();
    }
    new CellPublisher(kafka(cells))
        .publish(
            List.of(
                cell(1, -122.388, 9_000),
                // Its next entry replaces it.
                cell(1, -122.388, 0),
                cell(2, -122.388, 2_000),
                cell(3, -122.389, 3_000),
                cell(4, -122.588, 9_000)),
            () -> {});

    assertThat(
            lastfix(topic, "fence", "put", "sfo", fence, "--radius", "1500", "--set", cells)
                .mustExitWith(0)
                .err())
        .contains(
            "The fence sfo is too small for 1 of the 3 cells in it: positions at them hardly ever count as inside\n");
    Result again = lastfix(topic, "fence", "put", "sfo", fence, "--radius", "1500", "--set", cells);
    assertThat(again.mustExitWith(0).err())
        .as("a fence that is stored already")
        .doesNotContain("too small");
    String steps =
        file(
            "steps.yaml",
            """
            id: steps
            when: {sequence: [{fence: sfo, is: inside, certainty: 0.6}, {expr: far}], within: 1 h}
            """);
    assertThat(lastfix(topic, "rule", "put", steps, "--set", cells).mustExitWith(0).err())
        .as("the fence of a step")
        .contains("The fence sfo is too small for 2 of the 3 cells in it: ");
    Result put = lastfix(topic, "rule", "put", rule, "--json", "--set", cells).mustExitWith(0);
    assertThat(put.err()).contains("The fence sfo is too small for 2 of the 3 cells in it: ");
    assertThat(put.json().path("written").asBoolean()).isTrue();
    assertThat(
            lastfix(topic, "fence", "put", "sfo", fence, "--radius", "5000", "--set", cells)
                .mustExitWith(0)
                .err())
        .doesNotContain("too small");
  }

  private static CellEntry cell(int cid, double lon, int rangeMeters) {
    CellVersion version = new CellVersion(0, new Position(lon, 37.6155), rangeMeters);
    return new CellEntry(
        new CellId(310, 260, 7, cid), List.of(new Tower(Radio.LTE, List.of(version))));
  }

  private static Properties clientProperties() {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", stack.kafka());
    return properties;
  }

  private static final RuleFollower.DeviceNames OWN_NAMES = device -> device;

  /** A subtask that applies changes at once, or not at all. */
  private static final class Subtask implements RuleFollower.Listener, AutoCloseable {
    private final AtomicReference<RuleFollower.Subscription> subscription = new AtomicReference<>();
    private volatile boolean isPrompt = true;

    private Subtask(String topic, int index) throws Exception {
      RuleFollower.Subscription opened =
          RuleFollower.open(
              new RuleFollower.Options(
                  topic,
                  applied(topic),
                  topic + ".devices",
                  OWN_NAMES,
                  clientProperties(),
                  Duration.ofMinutes(1)),
              "job-of-rules",
              index,
              2,
              0,
              this);
      subscription.set(opened);
      opened.applied(opened.offset());
    }

    private RuleSet rules() {
      return subscription.get().rules();
    }

    @Override
    public void changed(RuleSet rules, long offset) {
      RuleFollower.Subscription opened = subscription.get();
      if (isPrompt && opened != null) {
        opened.applied(offset);
      }
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public void close() {
      subscription.get().close();
    }
  }

  @Test
  void aChangeIsWaitedForInAllSubtasks_AndThoseThatDoNotApplyItAreNamed() throws Exception {
    String topic = "rule-commands-applied";
    String far = file("far.yaml", "{id: far, when: {expr: far}}");
    String near = file("near.yaml", "{id: near, when: {expr: '!far'}}");
    lastfix(topic, "rule", "put", far).mustExitWith(0);
    try (Subtask first = new Subtask(topic, 0);
        Subtask second = new Subtask(topic, 1)) {
      assertThat(first.rules().rules()).isEqualTo(1);
      assertThat(second.rules()).isSameAs(first.rules());
      awaitAcknowledgements(topic, 2);

      assertThat(lastfix(topic, "rule", "put", near).mustExitWith(0).out())
          .isEqualTo("The rule near is stored as version 1; the job 'rules' applies it\n");
      assertThat(first.rules().rules()).isEqualTo(2);

      second.isPrompt = false;
      Result late = lastfix(topic, "rule", "delete", "near", "--wait", "2s").mustExitWith(4);
      assertThat(late.out())
          .isEqualTo("The rule near is deleted; the job 'rules' applies it in 1 of 2 subtasks\n");
      assertThat(late.err())
          .startsWith("These subtasks of the job job-of-rules do not apply it yet: 1. It is");

      String reason = "failed on 101 records in a minute";
      first.subscription.get().pause(new RuleMessage.OfPause("far", 1, "job", reason));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  lastfix(topic, "rule", "list", "--json")
                      .json()
                      .at("/0/reason")
                      .asText()
                      .equals(reason));
      await().until(() -> second.rules().rules() == 0);
    }
  }

  private static void awaitAcknowledgements(String topic, int subtasks) {
    Instant since = Instant.now().minus(Duration.ofMinutes(1));
    Set<Integer> found = new HashSet<>();
    try (AppliedReader reader = new AppliedReader(clientProperties(), applied(topic), since)) {
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                reader.read().forEach(acknowledged -> found.add(acknowledged.subtask()));
                return found.size() == subtasks;
              });
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
    assertThat(RulesOfUser.find(new KafkaRuleTopic(kafka(), topic), List.of("a")).orElseThrow())
        .startsWith("rules that name the user; they could not be read: the topic " + topic);
    assertThat(RulesOfUser.find(new KafkaRuleTopic(kafka(), "no-such-topic"), List.of("a")))
        .isEmpty();
  }

  private static KafkaOptions kafka(String... more) {
    List<String> settings = new ArrayList<>(List.of("kafka.bootstrap-servers=" + stack.kafka()));
    settings.addAll(List.of(more));
    return LocationJobConfig.load(null, settings, name -> null).kafka();
  }

  @Test
  void operatorsThatPutOneIdAtOnceGetDifferentVersions() throws Exception {
    String topic = "rule-commands-race";
    String first = file("first.yaml", "{id: raced, when: {expr: far}}");
    lastfix(topic, "rule", "put", first).mustExitWith(0);
    KafkaOptions kafka = kafka();
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
