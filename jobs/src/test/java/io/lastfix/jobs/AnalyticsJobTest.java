package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.ReplaceOneModel;
import io.lastfix.analytics.counts.TestRecords;
import io.lastfix.analytics.timeline.BruteForce;
import io.lastfix.analytics.timeline.ResultTexts;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.LateCount;
import io.lastfix.store.timeline.ResultConverter;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.StoredResult;
import io.lastfix.store.timeline.TripChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The two workflows that count in one JVM, the stream and the batch, with lists for servers. */
class AnalyticsJobTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(3)
              .build());

  private static final long T = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();
  private static final Instant T_OF_BATCH = Instant.ofEpochMilli(T + 86_400_000);
  private static final int USERS = 60;
  private static final int RECORDS = 6_000;

  /** Less than the hour by which a record may be late, in any order. */
  private static final int MINUTES = 50;

  private static final LocationJobConfig CONFIG =
      LocationJobConfig.load(
          null,
          List.of(
              "job.parallelism=3",
              "analytics.counts-by=total,cell,area,network,source",
              "analytics.minimum-group=0"),
          name -> null);

  private final CollectingSink<WindowCount> stored = new CollectingSink<>();
  private final CollectingSink<WindowCount> published = new CollectingSink<>();
  private final CollectingSink<DensityCount> density = new CollectingSink<>();
  private final CollectingSink<FlowCount> flows = new CollectingSink<>();
  private final CollectingSink<StayChange> stays = new CollectingSink<>();
  private final CollectingSink<TripChange> trips = new CollectingSink<>();
  private final CollectingSink<LateCount> late = new CollectingSink<>();
  private final NumberSinks sinks = new NumberSinks(stored, density, flows, stays, trips, late);

  /** What one number is of. */
  private record Group(long windowMillis, CountBy by, String key) {
    static Group of(WindowCount count) {
      return new Group(count.windowMillis(), count.by(), count.key());
    }
  }

  @AfterEach
  void forgetWhatWasCollected() {
    CollectingSink.clear();
  }

  @Test
  void theStreamAndTheBatchCountTheSameAsAHandWrittenCount() throws Exception {
    Set<LocatedRecord> history = records();
    List<LocatedRecord> delivered = new ArrayList<>(history);
    delivered.addAll(history);
    Collections.shuffle(delivered, new Random(7));

    stream(delivered);
    Map<Group, Long> ofStream = greatest(stored.collected());
    assertThat(greatest(published.collected())).isEqualTo(ofStream);
    assertThat(ofStream).containsExactlyInAnyOrderEntriesOf(byHand(history));
    assertThat(last(stored.collected()).values())
        .allMatch(count -> count.state() == WindowCount.State.CLOSED);
    assertTimelinesAreThoseOf(history);
    assertThat(late.collected()).isEmpty();

    CollectingSink.clear();
    JobExecutionResult result =
        batch(history, new AnalyzeTimes(TimeRange.ALL, CONFIG.analytics().timeline(), T_OF_BATCH));

    assertThat(stored.collected()).hasSameSizeAs(ofStream.keySet());
    assertThat(greatest(stored.collected())).isEqualTo(ofStream);
    assertThat(stored.collected())
        .allMatch(
            count ->
                count.state() == WindowCount.State.BATCH
                    && count.rev() == T_OF_BATCH.toEpochMilli());
    assertThat(result.<Long>getAccumulatorResult(AnalyzeJob.DOCUMENTS)).isEqualTo(history.size());
    assertTimelinesAreThoseOf(history);
  }

  /** What is near the range's ends depends on records outside of it. */
  @Test
  void theBatchStoresTheResultsOfItsRangeAlone() throws Exception {
    Set<LocatedRecord> history = records();
    Instant from = Instant.ofEpochMilli(T + 15 * 60_000);
    Instant to = Instant.ofEpochMilli(T + 35 * 60_000);
    BruteForce expected = new BruteForce(List.copyOf(history));

    var unused =
        batch(
            history,
            new AnalyzeTimes(new TimeRange(from, to), CONFIG.analytics().timeline(), T_OF_BATCH));

    assertThat(documents(density.collected()))
        .hasSizeGreaterThan(2)
        .containsExactlyInAnyOrderElementsOf(densityOf(expected, from, to));
    assertThat(documents(stays.collected()))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(
            expected.stays.stream()
                .filter(it -> isIn(from, to, Long.parseLong(it.split(" ", -1)[2])))
                .toList());
    // Of the whole hour.
    assertThat(documents(flows.collected())).hasSameSizeAs(expected.flows.keySet());
    assertThat(stored.collected()).allMatch(count -> isIn(from, to, count.windowMillis()));
  }

  /** The results of the range, and of places without one in its first window the last before it. */
  private static List<String> densityOf(BruteForce expected, Instant from, Instant to) {
    Map<String, TreeMap<Long, Integer>> places = new HashMap<>();
    expected.density.forEach(
        (key, value) -> {
          int end = key.lastIndexOf(' ');
          places
              .computeIfAbsent(key.substring(0, end), place -> new TreeMap<>())
              .put(Long.parseLong(key.substring(end + 1)), value);
        });
    List<String> results = new ArrayList<>();
    places.forEach(
        (place, levels) -> {
          Map.Entry<Long, Integer> first = levels.floorEntry(from.toEpochMilli());
          if (first != null && first.getValue() != 0) {
            levels.put(from.toEpochMilli(), first.getValue());
          }
          levels
              .subMap(from.toEpochMilli(), to.toEpochMilli())
              .forEach((window, value) -> results.add(place + " " + window + " " + value));
        });
    return results;
  }

  /** 20 devices are there all the time, so nothing changes within the range. */
  @Test
  void theBatchStoresTheDensityThatBeganBeforeItsRange() throws Exception {
    Set<LocatedRecord> history = new HashSet<>();
    for (int user = 0; user < 20; user++) {
      for (int minute = -120; minute <= 120; minute += 10) {
        history.add(
            new LocatedRecord(
                "user" + user,
                new CellId(310, 260, 7, 1),
                T + minute * 60_000L + user * 1_000L,
                new Position(-122.4, 37.7)));
      }
    }
    TimeRange range = new TimeRange(Instant.ofEpochMilli(T - 3_600_000), Instant.ofEpochMilli(T));

    var unused = batch(history, new AnalyzeTimes(range, CONFIG.analytics().timeline(), T_OF_BATCH));

    assertThat(density.collected())
        .hasSize(2)
        .allMatch(it -> it.windowMillis() == T - 3_600_000 && it.devices() == 20);
  }

  private static boolean isIn(Instant from, Instant to, long millis) {
    return millis >= from.toEpochMilli() && millis < to.toEpochMilli();
  }

  /** A savepoint names the operators by them. */
  @Test
  void theOperatorsKeepTheirIdentities() {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(CONFIG));
    AnalyticsJob.defineWorkflow(
        environment, CONFIG.analytics(), source(records()), sinks, published);

    Set<String> uids = new TreeSet<>();
    environment
        .getStreamGraph()
        .getStreamNodes()
        .forEach(node -> uids.add(String.valueOf(node.getTransformationUID())));

    assertThat(uids)
        .contains("read-located", "distinct", "combine", "count", "counts", "published-counts")
        .contains("timeline", "count-density", "hold-density", "count-flows", "hold-flows")
        .contains("hold-stays", "hold-trips", "density", "flows", "stays", "trips")
        .doesNotContain("null");
  }

  /** Otherwise a job that is resumed with one more kind would know who leaves, but not who came. */
  @Test
  void densityAndFlowsAreAddedUpAlsoIfOnlyStaysAreStored() {
    LocationJobConfig config =
        LocationJobConfig.load(null, List.of("analytics.numbers=stays"), name -> null);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(CONFIG));
    AnalyticsJob.defineWorkflow(
        environment, config.analytics(), source(records()), sinks, published);

    assertThat(environment.getStreamGraph().getStreamNodes())
        .extracting(node -> String.valueOf(node.getTransformationUID()))
        .contains("count-density", "count-flows", "hold-stays")
        .doesNotContain("hold-density", "hold-flows");
  }

  @Test
  void theJobComputesOnlyWhatItIsConfiguredTo() throws Exception {
    LocationJobConfig config =
        LocationJobConfig.load(null, List.of("analytics.numbers=density,trips"), name -> null);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(CONFIG));
    AnalyticsJob.defineWorkflow(
        environment, config.analytics(), source(records()), sinks, published);
    var unused = environment.execute();

    assertThat(stored.collected()).isEmpty();
    assertThat(published.collected()).isEmpty();
    assertThat(flows.collected()).isEmpty();
    assertThat(stays.collected()).isEmpty();
    assertThat(density.collected()).isNotEmpty();
  }

  private void assertTimelinesAreThoseOf(Set<LocatedRecord> history) {
    BruteForce expected = new BruteForce(List.copyOf(history));
    assertThat(expected.flows).isNotEmpty();
    assertThat(expected.stays).isNotEmpty();
    assertThat(documents(density.collected()))
        .containsExactlyInAnyOrderElementsOf(
            expected.density.entrySet().stream()
                .map(it -> it.getKey() + " " + it.getValue())
                .toList());
    assertThat(documents(flows.collected()))
        .containsExactlyInAnyOrderElementsOf(
            expected.flows.entrySet().stream()
                .map(it -> it.getKey() + " " + it.getValue())
                .toList());
    assertThat(documents(stays.collected())).containsExactlyInAnyOrderElementsOf(expected.stays);
    assertThat(documents(trips.collected())).containsExactlyInAnyOrderElementsOf(expected.trips);
  }

  /** The documents that the writes leave, as the brute force writes its results. */
  private static Collection<String> documents(List<? extends StoredResult> writes) {
    Map<BsonDocument, BsonDocument> documents = new HashMap<>();
    for (StoredResult write : writes) {
      BsonDocument id = write.id();
      if (ResultConverter.ofStream().apply(write)
          instanceof ReplaceOneModel<BsonDocument> replace) {
        documents.put(id, replace.getReplacement());
      } else {
        documents.remove(id);
      }
    }
    return documents.values().stream().map(ResultTexts::text).toList();
  }

  @Test
  void theUsersOwnFlinkKeysCannotMakeTheBatchAStream() {
    LocationJobConfig config =
        LocationJobConfig.load(
            null, List.of("flink.execution.runtime-mode=STREAMING"), name -> null);

    Configuration flink = HistoryJob.flinkConfiguration(config, RuntimeExecutionMode.BATCH);

    assertThat(flink.get(ExecutionOptions.RUNTIME_MODE)).hasToString("BATCH");
  }

  private void stream(List<LocatedRecord> delivered) throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(CONFIG));
    AnalyticsJob.defineWorkflow(
        environment, CONFIG.analytics(), source(delivered), sinks, published);
    var unused = environment.execute();
  }

  private JobExecutionResult batch(Collection<LocatedRecord> history, AnalyzeTimes times)
      throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            HistoryJob.flinkConfiguration(CONFIG, RuntimeExecutionMode.BATCH));
    AnalyzeJob.defineWorkflow(
        environment,
        CONFIG.analytics(),
        List.of(NumberKind.values()),
        source(history),
        times,
        T_OF_BATCH,
        sinks);
    return environment.execute();
  }

  private static DataGeneratorSource<LocatedRecord> source(Collection<LocatedRecord> records) {
    ArrayList<LocatedRecord> serializable = new ArrayList<>(records);
    GeneratorFunction<Long, LocatedRecord> byIndex =
        index -> serializable.get(Math.toIntExact(index));
    return new DataGeneratorSource<>(byIndex, records.size(), RecordTypes.LOCATED_RECORD);
  }

  private static Set<LocatedRecord> records() {
    Random random = new Random(3);
    Set<LocatedRecord> records = new HashSet<>();
    while (records.size() < RECORDS) {
      int cid = random.nextInt(10) == 0 ? random.nextInt(200) : 1;
      records.add(
          new LocatedRecord(
              "user" + random.nextInt(USERS),
              new CellId(310, 260 + cid % 2, 7, cid),
              T + random.nextInt(MINUTES * 60_000),
              random.nextInt(20) == 0 ? null : new Position(-122.4 + cid * 0.01, 37.7)));
    }
    return records;
  }

  /** Straight from the definition, with nothing of the operators but the names of groups. */
  private static Map<Group, Long> byHand(Set<LocatedRecord> history) {
    Map<Group, Long> numbers = new HashMap<>();
    for (LocatedRecord record : history) {
      long window = record.timestampMillis() / 10_000 * 10_000;
      for (CountBy by : CountBy.values()) {
        String key = TestRecords.groupOf(CONFIG.analytics().grouping(), record, by);
        numbers.merge(new Group(window, by, key), 1L, Long::sum);
      }
    }
    return numbers;
  }

  /** What {@code $max} makes of the writes. */
  private static Map<Group, Long> greatest(List<WindowCount> writes) {
    Map<Group, Long> greatest = new HashMap<>();
    writes.forEach(count -> greatest.merge(Group.of(count), count.n(), Math::max));
    return greatest;
  }

  private static Map<Group, WindowCount> last(List<WindowCount> writes) {
    Map<Group, WindowCount> last = new HashMap<>();
    writes.forEach(
        count ->
            last.merge(
                Group.of(count), count, (old, added) -> added.rev() > old.rev() ? added : old));
    return last;
  }
}
