package io.lastfix.rules.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lastfix.expressions.Statement;
import io.lastfix.kit.kafka.TopicFollower;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.rules.follow.RuleFollower.Listener;
import io.lastfix.rules.follow.RuleFollower.Options;
import io.lastfix.rules.follow.RuleFollower.Subscription;
import io.lastfix.rules.judge.DeviceJudge;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.topic.RuleCodec;
import io.lastfix.rules.topic.RuleMessage;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RuleFollowerTest {
  private static final String TOPIC = "lastfix.rules";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final String JOB = "rule-follower-test";
  private static final String DEVICES = "lastfix.devices";
  private static final TopicPartition DEVICES_PARTITION = new TopicPartition(DEVICES, 0);
  private static final String DEVICE = "00112233445566778899aabbccddeeff";
  private static final RuleFollower.DeviceNames OWN_NAMES = device -> device;
  private static final Options OPTIONS = options(new Properties(), Duration.ofSeconds(10));

  private static Options options(Properties properties, Duration startTimeout) {
    return new Options(
        TOPIC, "lastfix.rules.applied", DEVICES, OWN_NAMES, properties, startTimeout);
  }

  /** Kafka as one follower sees it. */
  private static final class Kafka {
    private final MockConsumer<byte @Nullable [], byte @Nullable []> consumer =
        new MockConsumer<>(OffsetResetStrategy.EARLIEST);

    private volatile MockConsumer<byte @Nullable [], byte @Nullable []> devices =
        new MockConsumer<>(OffsetResetStrategy.EARLIEST);

    private final MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer());

    private final AtomicBoolean isOpened = new AtomicBoolean();
    private long end;

    private Kafka() {
      consumer.updatePartitions(
          TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, new Node[0], new Node[0])));
      consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
      consumer.updateEndOffsets(Map.of(PARTITION, 0L));
      createDevices();
    }

    private void createDevices() {
      devices.updateBeginningOffsets(Map.of(DEVICES_PARTITION, 0L));
      devices.updateEndOffsets(Map.of(DEVICES_PARTITION, 0L));
      devices.updatePartitions(
          DEVICES, List.of(new PartitionInfo(DEVICES, 0, null, new Node[0], new Node[0])));
    }

    /** The next one that reads the devices may do so. */
    private void allowDevices() {
      devices = new MockConsumer<>(OffsetResetStrategy.EARLIEST);
      createDevices();
    }

    private RuleFollower follower(Options options) {
      return new RuleFollower(
          options,
          JOB,
          () -> {
            isOpened.set(true);
            return consumer;
          },
          () -> devices,
          new Acknowledgements(options, JOB, producer, InstantSource.system(), System::nanoTime),
          System::nanoTime);
    }

    /** Writes a device, or that it was removed. */
    private void register(long offset, @Nullable String group) {
      byte[] key = ("device/" + DEVICE).getBytes(UTF_8);
      byte @Nullable [] value =
          group == null ? null : "{\"v\":1,\"group\":\"%s\"}".formatted(group).getBytes(UTF_8);
      devices.schedulePollTask(
          () -> {
            devices.addRecord(new ConsumerRecord<>(DEVICES, 0, offset, key, value));
            devices.updateEndOffsets(Map.of(DEVICES_PARTITION, offset + 1));
          });
    }

    /** Writes messages of one rule, which one poll returns. */
    private void write(byte[]... values) {
      consumer.schedulePollTask(
          () -> {
            for (byte[] value : values) {
              add("rule/a".getBytes(UTF_8), value);
            }
          });
    }

    /** Writes messages, which one poll returns. */
    private void write(List<RuleMessage> messages) {
      consumer.schedulePollTask(
          () -> messages.forEach(each -> add(RuleCodec.key(each), RuleCodec.value(each))));
    }

    private void add(byte[] key, byte @Nullable [] value) {
      consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, end++, key, value));
      consumer.updateEndOffsets(Map.of(PARTITION, end));
    }

    /** The last offset that a subtask has acknowledged; null if there is none. */
    private @Nullable Long applied(int subtask) {
      return producer.history().stream()
          .filter(message -> message.topic().equals(OPTIONS.appliedTopic()))
          .flatMap(message -> AppliedCodec.read(message.value()).stream())
          .filter(applied -> applied.job().equals(JOB) && applied.subtask() == subtask)
          .map(Applied::offset)
          .reduce((earlier, later) -> later)
          .orElse(null);
    }
  }

  /** A subtask; applies changes only if the test says so. */
  private static final class Subtask implements Listener {
    private final List<Long> offsets = new CopyOnWriteArrayList<>();
    private volatile @Nullable RuleSet rules;
    private volatile @Nullable Throwable failure;

    @Override
    public void changed(RuleSet newest, long offset) {
      rules = newest;
      offsets.add(offset);
    }

    @Override
    public void failed(Throwable cause) {
      failure = cause;
    }
  }

  private final List<Kafka> created = new CopyOnWriteArrayList<>(List.of(new Kafka()));
  private final Kafka kafka = created.get(0);
  private final List<RuleFollower> followers = new CopyOnWriteArrayList<>();
  private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

  /** The first follower sees {@link #kafka}; each further one an empty topic of its own. */
  private final SharedFollowers shared =
      new SharedFollowers(
          (options, jobId) -> {
            if (!followers.isEmpty()) {
              created.add(new Kafka());
            }
            RuleFollower follower = created.get(created.size() - 1).follower(options);
            followers.add(follower);
            return follower;
          });

  private final StringWriter log = new StringWriter();
  private final WriterAppender appender =
      WriterAppender.newBuilder().setName("captured").setTarget(log).build();

  @BeforeEach
  void captureTheLog() {
    appender.start();
    capture(TopicFollower.class);
  }

  private void capture(Class<?> of) {
    logger(of).addAppender(appender);
    logger(of).setLevel(Level.WARN);
  }

  @AfterEach
  void closeAll() {
    subscriptions.forEach(Subscription::close);
    logger(TopicFollower.class).removeAppender(appender);
    logger(RuleFollower.class).removeAppender(appender);
  }

  private static Logger logger(Class<?> of) {
    return (Logger) LogManager.getLogger(of);
  }

  private Subscription open(int subtask, Listener listener) throws InterruptedException {
    Subscription subscription = shared.open(OPTIONS, JOB, subtask, 2, 0, listener);
    subscriptions.add(subscription);
    return subscription;
  }

  private static byte[] rule(long version, String condition) {
    return RuleCodec.value(rule("a", version, condition));
  }

  private static RuleMessage rule(String id, long version, String condition) {
    String yaml = "{id: %s, when: {expr: %s}}".formatted(id, condition);
    return new RuleMessage.OfRule(
        id, version, new RuleMessage.Content(yaml, "anna", Instant.EPOCH));
  }

  private static RuleMessage pause(long version, String by) {
    return new RuleMessage.OfPause("a", version, by, "failed");
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.endsWith(JOB))
        .toList();
  }

  @Test
  void theRulesOfTheTopicAreReadBeforeASubtaskBegins() throws Exception {
    kafka.consumer.updateEndOffsets(Map.of(PARTITION, 2L));
    kafka.write(rule(1, "far"));
    kafka.write(rule(2, "'!far'"));

    Subscription subscription = open(0, new Subtask());

    assertThat(subscription.offset()).isEqualTo(2);
    assertThat(subscription.rules().rules()).isEqualTo(1);
    assertThat(subscription.rules().version("a")).isEqualTo(2);
  }

  @Test
  void conditionsGetCode_AlsoThoseOfAChange() throws Exception {
    Subscription subscription = open(0, new Subtask());

    kafka.write(rule(1, "far"));
    await().until(() -> haveCode(subscription.rules()));
    assertThat(threads()).as("no start waits for it").contains("lastfix-rules-code-" + JOB);

    kafka.write(rule(2, "'!far'"));
    await().until(() -> subscription.rules().version("a") == 2 && haveCode(subscription.rules()));
  }

  private static boolean haveCode(RuleSet rules) {
    List<Statement> statements = rules.statements();
    return !statements.isEmpty() && statements.stream().allMatch(Statement::hasCode);
  }

  @Test
  void subtasksThatOpenAtOnceShareOneFollower() throws Exception {
    kafka.consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    kafka.write(rule(1, "far"));
    ExecutorService tasks = Executors.newFixedThreadPool(2);
    try {
      List<Future<Subscription>> opening = new ArrayList<>();
      for (int subtask = 0; subtask < 2; subtask++) {
        int index = subtask;
        opening.add(tasks.submit(() -> open(index, new Subtask())));
      }
      Subscription first = opening.get(0).get(1, TimeUnit.MINUTES);
      Subscription second = opening.get(1).get(1, TimeUnit.MINUTES);

      assertThat(followers).hasSize(1);
      assertThat(second.rules()).isSameAs(first.rules());
    } finally {
      tasks.shutdownNow();
    }
  }

  @Test
  void theLastCloseEndsTheThreads_AndTheNextSubtaskBeginsAnew() throws Exception {
    Subscription first = open(0, new Subtask());
    Subscription second = open(1, new Subtask());
    first.close();
    first.close();
    assertThat(kafka.consumer.closed()).isFalse();
    assertThat(threads()).isNotEmpty();

    second.close();

    assertThat(kafka.consumer.closed()).isTrue();
    assertThat(kafka.producer.closed()).isTrue();
    await().untilAsserted(() -> assertThat(threads()).isEmpty());

    open(0, new Subtask());
    assertThat(followers).hasSize(2);
  }

  @Test
  void aChangeIsForAllSubtasks_AndASlowOneAcknowledgesLater() throws Exception {
    Subtask fast = new Subtask();
    Subtask slow = new Subtask();
    Subscription ofFast = open(0, fast);
    Subscription ofSlow = open(1, slow);
    ofFast.applied(ofFast.offset());
    ofSlow.applied(ofSlow.offset());
    await().until(() -> kafka.applied(0) != null && kafka.applied(1) != null);

    kafka.write(rule(1, "far"));
    await().until(() -> fast.offsets.contains(1L) && slow.offsets.contains(1L));
    assertThat(fast.rules).isSameAs(slow.rules).isSameAs(ofSlow.rules());
    ofFast.applied(1);
    await().untilAsserted(() -> assertThat(kafka.applied(0)).isEqualTo(1));
    kafka.write(rule(2, "far"), rule(3, "far"));
    await().until(() -> fast.offsets.contains(3L));
    ofFast.applied(3);
    await().untilAsserted(() -> assertThat(kafka.applied(0)).isEqualTo(3));
    assertThat(kafka.applied(1)).as("the slow one").isEqualTo(0);

    ofSlow.applied(3);

    await().untilAsserted(() -> assertThat(kafka.applied(1)).isEqualTo(3));
    assertThat(fast.offsets).as("one poll is one change").containsExactly(1L, 3L);
  }

  @Test
  void whatCannotBeReadIsSkipped_AndTheOffsetMovesOn() throws Exception {
    Subtask subtask = new Subtask();
    Subscription subscription = open(0, subtask);

    kafka.write(rule(1, "far"), "no JSON".getBytes(UTF_8), null, new byte[(1 << 20) + 1]);

    await().until(() -> subtask.offsets.contains(4L));
    assertThat(subscription.rules().rules()).isEqualTo(1);
    assertThat(subtask.failure).isNull();
    String place = "Skipping a message of lastfix.rules, partition 0, offset ";
    assertThat(log.toString().lines())
        .containsExactly(
            place + "1: rule/a, version unknown: the value is no JSON",
            place + "2: it has no value",
            place + "3: rule/a, version unknown: the value is no JSON");

    RuleSet before = subscription.rules();
    kafka.write("no JSON".getBytes(UTF_8));
    await().until(() -> subtask.offsets.contains(5L));
    assertThat(subscription.rules()).as("nothing to compile").isSameAs(before);
  }

  @Test
  void theVersionOfAMessageThatCannotBeReadCounts() throws Exception {
    Subtask subtask = new Subtask();
    Subscription subscription = open(0, subtask);

    kafka.write(rule(1, "far"), "{\"version\":2}".getBytes(UTF_8));

    await().until(() -> subtask.offsets.contains(2L));
    assertThat(subscription.rules().rules()).isZero();
    assertThat(subscription.rules().unreadable())
        .containsExactly("rule/a, version 2: the value has no text yaml");
    assertThat(log.toString().lines())
        .containsExactly(
            "Skipping a message of lastfix.rules, partition 0, offset 1: rule/a, version 2: the"
                + " value has no text yaml");
  }

  @Test
  void aSubtaskThatThrowsDoesNotKeepAChangeFromTheOthers() throws Exception {
    open(
        0,
        new Listener() {
          @Override
          public void changed(RuleSet rules, long offset) {
            throw new IllegalStateException("closed");
          }

          @Override
          public void failed(Throwable cause) {
            throw new IllegalStateException("closed");
          }
        });
    Subtask other = new Subtask();
    open(1, other);

    kafka.write(rule(1, "far"));
    kafka.write(rule(2, "far"));

    await().until(() -> other.offsets.contains(2L));
    assertThat(other.failure).isNull();
  }

  @Test
  void aPauseGoesToTheTopicOfRules() throws Exception {
    Subtask subtask = new Subtask();
    Subscription subscription = open(0, subtask);
    kafka.write(rule(4, "far"));
    await().until(() -> subtask.offsets.contains(1L));

    subscription.pause(new RuleMessage.OfPause("a", 4, "job", "failed"));

    await().until(() -> !kafka.producer.history().isEmpty());
    assertThat(kafka.producer.history().get(0).topic()).isEqualTo(TOPIC);
    assertThat(kafka.producer.history().get(0).key()).asString(UTF_8).isEqualTo("pause/a");
  }

  /** Compaction would keep the late one, and the operator's pause would end. */
  @Test
  void aPauseThatCountsIsRepeatedAfterALateOne() throws Exception {
    open(0, new Subtask());

    kafka.write(
        List.of(rule("a", 4, "far"), rule("a", 5, "far"), pause(5, "anna"), pause(4, "job")));

    await().until(() -> !kafka.producer.history().isEmpty());
    assertThat(kafka.producer.history().get(0).topic()).isEqualTo(TOPIC);
    assertThat(kafka.producer.history().get(0).value())
        .isEqualTo(RuleCodec.value(pause(5, "anna")));
  }

  @Test
  void ofManyRulesThatCannotBeUsedTheLogNamesSome_Once() throws Exception {
    capture(RuleFollower.class);
    Subtask subtask = new Subtask();
    open(0, subtask);
    List<RuleMessage> wrong = new ArrayList<>();
    for (int i = 0; i < RuleFollower.MOST_LINES + 5; i++) {
      wrong.add(rule("wrong-" + i, 1, "speeed > 1"));
    }

    kafka.write(wrong);
    kafka.write(rule(1, "far"));
    await().until(() -> subtask.offsets.contains(wrong.size() + 1L));

    assertThat(log.toString().lines())
        .hasSize(RuleFollower.MOST_LINES + 1)
        .endsWith("Not applied: 5 more rules and fences");
  }

  @Test
  void aFollowerThatCannotReadTheTopicHasFailed() {
    kafka.consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    kafka.consumer.schedulePollTask(
        () -> kafka.consumer.setPollException(new TopicAuthorizationException(Set.of(TOPIC))));
    RuleFollower follower = kafka.follower(OPTIONS).start();

    await().until(follower::hasFailed);

    follower.close();
  }

  @Test
  void aFollowerThatCannotStartLeavesNothingOpen() {
    // Its thread cannot start twice.
    SharedFollowers broken =
        new SharedFollowers((options, jobId) -> kafka.follower(options).start());

    assertThatThrownBy(() -> broken.open(OPTIONS, JOB, 0, 2, 0, new Subtask()))
        .isInstanceOf(IllegalThreadStateException.class);

    assertThat(kafka.producer.closed()).isTrue();
    await().untilAsserted(() -> assertThat(threads()).isEmpty());
    // The thread may have ended before it opened its consumer.
    assertThat(kafka.consumer.closed()).isEqualTo(kafka.isOpened.get());
  }

  @Test
  void aTopicThatWasCreatedAgainEndsTheFollower_AndTheNextSubtaskBeginsAnew() throws Exception {
    Subtask subtask = new Subtask();
    Subscription subscription = open(0, subtask);
    kafka.write(rule(1, "far"), rule(2, "far"));
    await().until(() -> subtask.offsets.contains(2L));

    kafka.consumer.updateEndOffsets(Map.of(PARTITION, 1L));

    await().until(() -> subtask.failure != null);
    assertThat(subtask.failure)
        .hasMessage("The topic lastfix.rules was deleted and created again, or has lost messages");
    assertThat(subscription.rules().version("a")).as("the former rules").isEqualTo(2);

    Subscription next = open(0, new Subtask());
    assertThat(followers).hasSize(2);
    assertThat(next.rules().rules()).isZero();
    subscription.close();
    assertThat(kafka.consumer.closed()).isTrue();
    assertThat(created.get(1).consumer.closed()).isFalse();
  }

  @Test
  void aTopicThatCannotBeReadIsNamed_AndNothingStaysOpen() {
    kafka.consumer.updatePartitions(TOPIC, List.of());
    Options impatient = options(new Properties(), Duration.ofSeconds(1));

    assertThatThrownBy(() -> shared.open(impatient, JOB, 0, 2, 0, new Subtask()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The topic lastfix.rules cannot be followed: the topic does not exist: create it with"
                + " lastfix rule put");

    assertThat(kafka.consumer.closed()).isTrue();
    assertThat(kafka.producer.closed()).isTrue();
  }

  private static byte[] ruleOfVans(long version) {
    String yaml = "{id: a, when: {expr: 'lat > 0.0'}, who: {group: vans}}";
    return RuleCodec.value(
        new RuleMessage.OfRule("a", version, new RuleMessage.Content(yaml, "anna", Instant.EPOCH)));
  }

  /** Whether the rule is about the device. */
  private static boolean isVan(RuleSet rules) {
    LocatedRecord record =
        new LocatedRecord(DEVICE, CellId.parse("310-260-7-1"), 1, new Position(10, 50));
    return !new DeviceJudge(new JudgeOptions(0, Duration.ofHours(1)))
        .judge(null, record, rules, Long.MIN_VALUE)
        .alerts()
        .isEmpty();
  }

  @Test
  void withoutARuleAboutAGroupTheDevicesAreNotRead() throws Exception {
    kafka.consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    kafka.write(rule(1, "far"));

    open(0, new Subtask());

    assertThat(kafka.devices.assignment()).isEmpty();
    assertThat(threads()).noneMatch(name -> name.startsWith("lastfix-rules-devices"));
  }

  @Test
  void theDevicesAreReadBeforeASubtaskBegins_AndFollowedUntilItEnds() throws Exception {
    kafka.consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    kafka.write(ruleOfVans(1));
    kafka.devices.updateEndOffsets(Map.of(DEVICES_PARTITION, 2L));
    kafka.register(0, "cabs");
    kafka.register(1, "vans");

    Subscription subscription = open(0, new Subtask());

    assertThat(isVan(subscription.rules())).isTrue();
    kafka.register(2, "cabs");
    await().until(() -> !isVan(subscription.rules()));
    kafka.register(3, "vans");
    await().until(() -> isVan(subscription.rules()));
    kafka.register(4, null);
    await().until(() -> !isVan(subscription.rules()));

    subscription.close();
    assertThat(kafka.devices.closed()).isTrue();
    await().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  @Test
  void aRuleAboutAGroupCountsOnceTheDevicesAreRead() throws Exception {
    Subtask subtask = new Subtask();
    Subscription subscription = open(0, subtask);
    kafka.devices.updateEndOffsets(Map.of(DEVICES_PARTITION, 1L));
    kafka.write(ruleOfVans(1));
    await().until(() -> !kafka.devices.assignment().isEmpty());
    assertThat(subtask.offsets).doesNotContain(1L);

    kafka.register(0, "vans");

    await().until(() -> subtask.offsets.contains(1L));
    assertThat(isVan(subscription.rules())).isTrue();
    kafka.write(ruleOfVans(2));
    await().until(() -> subtask.offsets.contains(2L));
    assertThat(isVan(subscription.rules())).as("the same groups").isTrue();
  }

  /** As for users without a gateway: all other rules still count. */
  @Test
  void withoutATopicOfDevicesARuleAboutAGroupIsAboutNone_UntilThereIsOne() throws Exception {
    kafka.devices.updatePartitions(DEVICES, List.of());
    Subtask subtask = new Subtask();
    Subscription subscription = open(0, subtask);

    kafka.write(ruleOfVans(1));

    await().until(() -> subtask.offsets.contains(1L));
    assertThat(subtask.failure).isNull();
    assertThat(isVan(subscription.rules())).isFalse();
    kafka.createDevices();
    kafka.register(0, "vans");
    await().until(() -> isVan(subscription.rules()));
  }

  /** As in a secured Kafka whose operator has not heard of that topic: all other rules count. */
  @Test
  void aRuleAboutAGroupIsPausedIfTheDevicesMayNotBeRead_AndCountsOnceItIsPutAgain()
      throws Exception {
    Subtask subtask = new Subtask();
    Subscription subscription = open(0, subtask);
    kafka.devices.schedulePollTask(
        () -> kafka.devices.setPollException(new TopicAuthorizationException(Set.of(DEVICES))));
    kafka.devices.updateEndOffsets(Map.of(DEVICES_PARTITION, 1L));

    kafka.write(ruleOfVans(1));

    await().until(() -> !kafka.producer.history().isEmpty());
    RuleMessage.OfPause pause =
        new RuleMessage.OfPause(
            "a",
            1,
            "job",
            "the job cannot read lastfix.devices: Not authorized to access topics:"
                + " [lastfix.devices]: grant it to the user of kafka.properties.sasl.jaas.config");
    assertThat(kafka.producer.history().get(0).value()).isEqualTo(RuleCodec.value(pause));
    kafka.write(List.of(pause, rule("b", 1, "far")));
    await().until(() -> subscription.rules().version("b") == 1);
    assertThat(subscription.rules().version("a")).isZero();
    assertThat(subtask.failure).isNull();

    kafka.allowDevices();
    kafka.register(0, "vans");
    kafka.write(ruleOfVans(2));
    await().until(() -> isVan(subscription.rules()));
    assertThat(kafka.producer.history()).hasSize(1);
  }

  /** The job restarts. A pause would stay after the failure. */
  @Test
  void devicesThatCannotBeReadForAnotherReasonEndTheFollower() throws Exception {
    Subtask subtask = new Subtask();
    open(0, subtask);
    kafka.devices.schedulePollTask(
        () -> kafka.devices.setPollException(new KafkaException("broken")));
    kafka.devices.updateEndOffsets(Map.of(DEVICES_PARTITION, 1L));

    kafka.write(ruleOfVans(1));

    await().until(() -> subtask.failure != null);
    assertThat(subtask.failure)
        .hasMessageStartingWith("The topic lastfix.devices cannot be followed: ");
    assertThat(kafka.producer.history()).isEmpty();
  }

  /** It waits for the devices on its own thread. */
  @Test
  void aFollowerThatWaitsForDevicesCanBeClosed() throws Exception {
    Subscription subscription = open(0, new Subtask());
    kafka.devices.updateEndOffsets(Map.of(DEVICES_PARTITION, 1L));
    kafka.write(ruleOfVans(1));
    await().until(() -> !kafka.devices.assignment().isEmpty());

    subscription.close();

    assertThat(kafka.devices.closed()).isTrue();
    await().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  @Test
  void optionsShowNoSecrets() {
    Properties properties = new Properties();
    properties.put("sasl.jaas.config", "secret");

    assertThat(new Options("a", "b", "c", OWN_NAMES, properties, Duration.ofSeconds(1)))
        .hasToString("Options[a, b, c, PT1S]");
  }
}
