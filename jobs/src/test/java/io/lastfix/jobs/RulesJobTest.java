package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.lastfix.alert.TestUpstream;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.presence.TestErasures;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.follow.RuleFollower;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.StoredMessage;
import io.lastfix.serialization.RecordTypes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The workflow of the rules job in one JVM, with lists for servers. */
class RulesJobTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  private static final long T = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();
  private static final Position AIRPORT = new Position(-122.388, 37.6155);
  private static final Position CITY = new Position(-122.42, 37.77);

  private static final LocationJobConfig CONFIG =
      LocationJobConfig.load(null, List.of("job.parallelism=2"), name -> null);

  /** Each half is one split, as of the records. */
  private static final ArrayList<Presence> PRESENCES =
      new ArrayList<>(
          List.of(
              presence("gone", Presence.State.OFFLINE, 180, 0),
              presence("gone", Presence.State.ONLINE, 900, 900),
              presence("new", Presence.State.ONLINE, 0, 0),
              presence("other", Presence.State.ONLINE, 0, 0)));

  private final CollectingSink<Alert> stored = new CollectingSink<>();
  private final CollectingSink<Alert> published = new CollectingSink<>();

  /** Rules that do not change. */
  private record Rules() implements RuleFollower.Opener {
    private static final String LEFT =
        """
        id: left-airport
        when: {fence: sfo, is: left, for: 60s}
        then: [{webhook: dispatch}]
        """;
    private static final String FAST =
        """
        id: fast
        when: {expr: 'speed > 1000'}
        who: {prefix: s}
        """;

    private static final String GONE = "{id: gone, when: {silent: presence, for: 10 min}}";

    private static RuleSet set() {
      List<RuleMessage> messages =
          List.of(
              new RuleMessage.OfFence(
                  "sfo", 1, Instant.EPOCH, new Fence("sfo", new Fence.Circle(AIRPORT, 1_500))),
              new RuleMessage.OfRule("left-airport", 3, content(LEFT)),
              new RuleMessage.OfRule("fast", 1, content(FAST)),
              new RuleMessage.OfRule("gone", 1, content(GONE)));
      List<StoredMessage> stored = new ArrayList<>();
      messages.forEach(message -> stored.add(new StoredMessage(stored.size(), message)));
      RuleBook.Builder builder = RuleBook.EMPTY.toBuilder();
      stored.forEach(builder::add);
      return RuleSet.of(builder.build(), RuleSet.EMPTY);
    }

    private static RuleMessage.Content content(String yaml) {
      return new RuleMessage.Content(yaml, "anna", Instant.EPOCH);
    }

    @Override
    public RuleFollower.Subscription open(
        String jobId, int subtask, int of, int attempt, RuleFollower.Listener listener) {
      RuleSet set = set();
      return new RuleFollower.Subscription() {
        @Override
        public RuleSet rules() {
          return set;
        }

        @Override
        public long offset() {
          return 4;
        }

        @Override
        public void applied(long offset) {
          assertThat(offset).isEqualTo(4);
        }

        @Override
        public void pause(RuleMessage.OfPause pause) {
          throw new AssertionError(pause);
        }

        @Override
        public void close() {
          // Nothing is open.
        }
      };
    }
  }

  @AfterEach
  void forgetWhatWasCollected() {
    CollectingSink.clear();
  }

  @Test
  void aUserWhoLeavesAFenceForAWhileCausesOneAlertInBothSinks() throws Exception {
    // Each half of the list is one split of the source, so each user's records keep their order.
    List<LocatedRecord> records =
        List.of(
            record("left", 0, AIRPORT),
            record("left", 60, CITY),
            record("left", 90, CITY),
            record("left", 130, CITY),
            record("soon-back", 0, AIRPORT),
            record("soon-back", 60, CITY),
            record("soon-back", 110, AIRPORT),
            record("soon-back", 111, AIRPORT),
            record("silent", 0, AIRPORT),
            record("silent", 60, CITY),
            record("silent", 30, AIRPORT),
            record("silent", 60, CITY),
            record("never-in", 0, CITY),
            record("never-in", 60, CITY),
            record("other", 0, AIRPORT),
            record("other", 1, CITY));

    run(records);

    assertThat(stored.collected())
        .filteredOn(alert -> alert.rule().equals("left-airport"))
        .extracting(Alert::user, Alert::rule, Alert::version, Alert::kind, Alert::atMillis)
        .containsExactlyInAnyOrder(
            tuple("left", "left-airport", 3L, Alert.Kind.LEFT, T + 60_000),
            // By the watermark, without a further record that counts.
            tuple("silent", "left-airport", 3L, Alert.Kind.LEFT, T + 60_000),
            tuple("other", "left-airport", 3L, Alert.Kind.LEFT, T + 1_000));
    assertThat(stored.collected())
        .filteredOn(alert -> alert.rule().equals("left-airport"))
        .allSatisfy(
            alert -> {
              assertThat(alert.fence()).isEqualTo("sfo");
              assertThat(alert.position()).isEqualTo(CITY);
              assertThat(alert.then()).containsExactly(new Action(Action.Kind.WEBHOOK, "dispatch"));
            });
    assertThat(published.collected()).containsExactlyInAnyOrderElementsOf(stored.collected());
  }

  @Test
  void anExpressionIsJudgedForThoseWhomTheRuleNames() throws Exception {
    run(
        List.of(
            record("slow", 0, AIRPORT),
            record("slow", 600, CITY),
            record("not-named", 0, CITY),
            record("not-named", 10, AIRPORT),
            record("swift", 0, CITY),
            record("swift", 10, AIRPORT),
            record("swift", 700, AIRPORT),
            record("swift", 1_300, CITY)));

    assertThat(stored.collected())
        .filteredOn(alert -> alert.rule().equals("fast"))
        .extracting(Alert::user, Alert::kind, Alert::atMillis)
        .containsExactly(tuple("swift", Alert.Kind.EXPR, T + 10_000));
  }

  /** It has had no record. Whether the end of all records comes first makes no difference. */
  @Test
  void aDeviceThatWasOfflineCausesOneAlert() throws Exception {
    run(List.of(record("other", 0, CITY), record("other", 10, CITY)));

    assertThat(stored.collected())
        .extracting(Alert::user, Alert::rule, Alert::kind, Alert::atMillis, Alert::position)
        .containsExactly(tuple("gone", "gone", Alert.Kind.SILENT, T, null));
    assertThat(published.collected()).isEqualTo(stored.collected());
  }

  /** A savepoint names the operators by them. */
  @Test
  void theOperatorsKeepTheirIdentities() {
    Set<String> uids = new TreeSet<>();
    environment(List.of(record("u", 0, CITY)))
        .getStreamGraph()
        .getStreamNodes()
        .forEach(node -> uids.add(String.valueOf(node.getTransformationUID())));

    assertThat(uids)
        .contains("read-located", "read-presence", "judge", "alerts", "published-alerts")
        .doesNotContain("null");
  }

  /** A new rule need not wait for a sink that waits for its server. */
  @Test
  void theSinksAreNotChainedToTheJudge() {
    assertThat(
            environment(List.of(record("u", 0, CITY))).getStreamGraph().getJobGraph().getVertices())
        .extracting(JobVertex::getName)
        .containsExactlyInAnyOrder(
            "Source: read located",
            "Source: read presence",
            "judge",
            "alerts: Writer",
            "published alerts: Writer");
  }

  private void run(List<LocatedRecord> records) throws Exception {
    var unused = environment(records).execute();
  }

  private StreamExecutionEnvironment environment(List<LocatedRecord> records) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(CONFIG));
    ArrayList<LocatedRecord> serializable = new ArrayList<>(records);
    GeneratorFunction<Long, LocatedRecord> byIndex =
        index -> serializable.get(Math.toIntExact(index));
    GeneratorFunction<Long, Presence> presenceByIndex =
        index -> PRESENCES.get(Math.toIntExact(index));
    RulesJob.defineWorkflow(
        environment,
        CONFIG.rules().judge(),
        new DataGeneratorSource<>(byIndex, records.size(), RecordTypes.LOCATED_RECORD),
        new DataGeneratorSource<>(presenceByIndex, PRESENCES.size(), Types.POJO(Presence.class)),
        new TestUpstream(),
        new Rules(),
        new TestErasures(),
        stored,
        published);
    return environment;
  }

  private static Presence presence(String device, Presence.State state, int since, int seen) {
    DeviceDescription description = new DeviceDescription("phone", null, null);
    return new Presence(device, state, T + since * 1_000L, T + seen * 1_000L, description);
  }

  private static LocatedRecord record(String user, int seconds, Position position) {
    return new LocatedRecord(
        user,
        new Place.AtFix(new Fix(position, PositionSource.GNSS)),
        T + seconds * 1_000L,
        null,
        false);
  }
}
