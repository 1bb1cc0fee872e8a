package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
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
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
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
  private static final int USERS = 60;
  private static final int RECORDS = 6_000;

  /** Less than the hour by which a record may be late, in any order. */
  private static final int MINUTES = 50;

  private static final LocationJobConfig CONFIG =
      LocationJobConfig.load(
          null,
          List.of("job.parallelism=3", "analytics.counts-by=total,cell,area,network,source"),
          name -> null);

  private final CollectingSink<WindowCount> stored = new CollectingSink<>();
  private final CollectingSink<WindowCount> published = new CollectingSink<>();

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

    CollectingSink.clear();
    JobExecutionResult result = batch(history, 1_000);

    assertThat(stored.collected()).hasSameSizeAs(ofStream.keySet());
    assertThat(greatest(stored.collected())).isEqualTo(ofStream);
    assertThat(stored.collected())
        .allMatch(count -> count.state() == WindowCount.State.BATCH && count.rev() == 1_000);
    assertThat(result.<Long>getAccumulatorResult(AnalyzeJob.DOCUMENTS)).isEqualTo(history.size());
  }

  @Test
  void theUsersOwnFlinkKeysCannotMakeTheBatchAStream() {
    LocationJobConfig config =
        LocationJobConfig.load(
            null, List.of("flink.execution.runtime-mode=STREAMING"), name -> null);

    Configuration flink = AnalyzeJob.flinkConfiguration(config);

    assertThat(flink.get(ExecutionOptions.RUNTIME_MODE)).hasToString("BATCH");
  }

  private void stream(List<LocatedRecord> delivered) throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(CONFIG));
    AnalyticsJob.defineWorkflow(
        environment, CONFIG.analytics(), source(delivered), stored, published);
    var unused = environment.execute();
  }

  private JobExecutionResult batch(Collection<LocatedRecord> history, long runMillis)
      throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(AnalyzeJob.flinkConfiguration(CONFIG));
    AnalyzeJob.defineWorkflow(
        environment, CONFIG.analytics().grouping(), source(history), runMillis, stored);
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
        String key = CONFIG.analytics().grouping().groupOf(record, by);
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
