package io.lastfix.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.deadlock.DeadlockWatchOperator;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The whole workflow in one JVM: messages from lists, results into lists. */
class LocationJobTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  private static final CellId KNOWN_CELL = CellId.parse("311-480-9728-9903886");
  private static final CellId UNKNOWN_CELL = CellId.parse("311-480-9728-1");
  private static final Position PLACE = new Position(-122.39, 37.78);
  private static final long TS = 1_767_225_600_000L;
  private static final RawMessage CELL =
      message(
          "lastfix.cells",
          0,
          "{\"cell\":\"%s\",\"radio\":\"LTE\",\"lon\":-122.39,\"lat\":37.78}"
              .formatted(KNOWN_CELL));

  private final CollectingSink<LocatedRecord> history = new CollectingSink<>();
  private final CollectingSink<LocatedRecord> lastKnownLocation = new CollectingSink<>();
  private final CollectingSink<LocatedRecord> published = new CollectingSink<>();
  private final CollectingSink<RejectedMessage> rejected = new CollectingSink<>();

  @BeforeEach
  void emptyTheSinks() {
    CollectingSink.clear();
  }

  @AfterEach
  void forgetWhatWasCollected() {
    CollectingSink.clear();
  }

  @Test
  void everyRecordEndsInHistoryOrRejectedAndTheLocatedOnesInLastKnownLocation() throws Exception {
    List<RawMessage> messages = new ArrayList<>();
    messages.add(json(0, "a", KNOWN_CELL));
    messages.add(json(1, "b", UNKNOWN_CELL));
    messages.add(message("lastfix.location.json", 2, "no JSON"));
    messages.add(
        message(
            "lastfix.location.arcanum",
            0,
            """
            <event><subscriber><imei>c</imei></subscriber>
            <cell><radio>LTE</radio><mcc>311</mcc><mnc>480</mnc><lac>9728</lac><cid>9903886</cid></cell>
            <timestamp>2026-01-01T00:00:00Z</timestamp></event>
            """));

    run(messages, List.of(CELL, message("lastfix.cells", 1, "{}")));

    assertThat(history.collected())
        .containsExactlyInAnyOrder(
            new LocatedRecord("a", KNOWN_CELL, TS, PLACE),
            new LocatedRecord("b", UNKNOWN_CELL, TS, null),
            new LocationRecord("c", KNOWN_CELL, Radio.LTE, TS).at(PLACE));
    assertThat(lastKnownLocation.collected())
        .containsExactlyInAnyOrder(
            new LocatedRecord("a", KNOWN_CELL, TS, PLACE),
            new LocationRecord("c", KNOWN_CELL, Radio.LTE, TS).at(PLACE));
    assertThat(rejected.collected())
        .extracting(
            message ->
                message.stage()
                    + " "
                    + message.rejection().reason().code()
                    + " "
                    + message.message())
        .containsExactlyInAnyOrder(
            "parse malformed topic lastfix.location.json, partition 0, offset 2",
            "catalog bad-value topic lastfix.cells, partition 0, offset 1");
  }

  @Test
  void whatIsPublishedIsWhatHistoryGets() throws Exception {
    List<RawMessage> messages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      messages.add(json(i, "user-" + i % 7, i % 3 == 0 ? UNKNOWN_CELL : KNOWN_CELL));
    }
    messages.add(message("lastfix.location.json", 50, "no JSON"));

    workflow(messages, List.of(CELL), published).execute();

    assertThat(history.collected()).hasSize(50);
    assertThat(published.collected()).containsExactlyInAnyOrderElementsOf(history.collected());
  }

  /** A savepoint of a job without the topic fits a job with it, and the other way round. */
  @Test
  void theSinkOfPublishedRecordsIsTheOnlyDifferenceThatItMakes() {
    List<RawMessage> some = List.of(CELL);
    Set<String> without = uids(workflow(some, some));
    Set<String> with = uids(workflow(some, some, published));

    assertThat(without).doesNotContain("located");
    without.add("located");
    assertThat(with).isEqualTo(without);
  }

  /** Of all operators; they are part of every savepoint. */
  private static Set<String> uids(StreamExecutionEnvironment environment) {
    return environment.getStreamGraph(false).getStreamNodes().stream()
        .map(node -> String.valueOf(node.getTransformationUID()))
        .collect(Collectors.toSet());
  }

  /** In each slot, so that no TaskManager of the job is without one. */
  @Test
  void theJobWatchesItsTaskManagersForDeadlocks() {
    assertThat(workflow(List.of(CELL), List.of(CELL)).getStreamGraph(false).getStreamNodes())
        .filteredOn(node -> "by-user".equals(node.getTransformationUID()))
        .singleElement()
        .satisfies(
            node -> {
              assertThat(
                      node.getOperatorFactory().getStreamOperatorClass(getClass().getClassLoader()))
                  .isEqualTo(DeadlockWatchOperator.class);
              assertThat(node.getParallelism()).isEqualTo(2);
            });
  }

  private void run(List<RawMessage> messages, List<RawMessage> cells) throws Exception {
    workflow(messages, cells).execute();
  }

  private StreamExecutionEnvironment workflow(List<RawMessage> messages, List<RawMessage> cells) {
    return workflow(messages, cells, null);
  }

  private StreamExecutionEnvironment workflow(
      List<RawMessage> messages, List<RawMessage> cells, @Nullable Sink<LocatedRecord> published) {
    LocationJobConfig config =
        LocationJobConfig.load(null, List.of("job.parallelism=2"), name -> null);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config));
    LocationJob.defineWorkflow(
        environment,
        config,
        source(messages),
        null,
        source(cells),
        RemovalRetention.DEFAULT,
        rejected,
        history,
        lastKnownLocation,
        published);
    return environment;
  }

  private static DataGeneratorSource<RawMessage> source(List<RawMessage> messages) {
    ArrayList<RawMessage> serializable = new ArrayList<>(messages);
    GeneratorFunction<Long, RawMessage> byIndex = index -> serializable.get(Math.toIntExact(index));
    return new DataGeneratorSource<>(
        byIndex, messages.size(), TypeInformation.of(RawMessage.class));
  }

  private static RawMessage json(long offset, String user, CellId cell) {
    return message(
        "lastfix.location.json",
        offset,
        "{\"user\":\"%s\",\"cell\":\"%s\",\"ts\":%d}".formatted(user, cell, TS));
  }

  private static RawMessage message(String topic, long offset, String value) {
    return new RawMessage(topic, 0, offset, null, value.getBytes(UTF_8));
  }
}
