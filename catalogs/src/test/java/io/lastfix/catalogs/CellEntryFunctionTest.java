package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.RejectionReason;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import io.lastfix.parse.ParseFunction;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.parse.Rejection;
import io.lastfix.serialization.CellEntrySerializer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionGraphTestUtils;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CellEntryFunctionTest {
  private static final String KEY = "1-2-3-4";
  private static final CellId CELL = CellId.parse(KEY);
  private static final String VALUE =
      "{\"cell\":\"1-2-3-4\",\"radio\":\"LTE\",\"lon\":5.5,\"lat\":6.5}";
  private static final CellEntry ENTRY =
      new CellEntry(
          CELL, List.of(new Tower(Radio.LTE, List.of(new CellVersion(0, new Position(5.5, 6.5))))));

  private final Map<String, Counter> counters = new HashMap<>();
  private OneInputStreamOperatorTestHarness<RawMessage, CellEntry> harness;

  @BeforeEach
  void open() throws Exception {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer(
                (metric, name, group) -> {
                  if (metric instanceof Counter counter) {
                    counters.put(name, counter);
                  }
                })
            .build();
    harness =
        new OneInputStreamOperatorTestHarness<>(
            new ProcessOperator<>(new CellEntryFunction()),
            new MockEnvironmentBuilder()
                .setMetricGroup(
                    TaskManagerMetricGroup.createTaskManagerMetricGroup(
                            registry, "host", ResourceID.generate())
                        .addJob(new JobID(), "job")
                        .addTask(ExecutionGraphTestUtils.createExecutionAttemptId(), "task"))
                .build());
    harness.setup(new CellEntrySerializer());
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private static RawMessage message(@Nullable String value) {
    return new RawMessage(
        "lastfix.cells", 3, 42, KEY.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8));
  }

  private List<RejectedMessage> rejected() {
    ConcurrentLinkedQueue<StreamRecord<RejectedMessage>> output =
        harness.getSideOutput(ParseFunction.REJECTED);
    return output == null ? List.of() : output.stream().map(StreamRecord::getValue).toList();
  }

  private void assertCounts(long entries, long entriesRejected) {
    assertThat(counters.get("entries").getCount()).isEqualTo(entries);
    assertThat(counters.get("entriesRejected").getCount()).isEqualTo(entriesRejected);
  }

  @Test
  void anEntryGoesOnWithItsTimeAndPlaceAsItsRevision() throws Exception {
    harness.processElement(message(VALUE), 7);

    assertThat(harness.extractOutputValues())
        .containsExactly(ENTRY.withRevision(new Revision(7, 42, 3)));
    assertThat(rejected()).isEmpty();
    assertCounts(1, 0);
  }

  @Test
  void aTombstoneIsAnEntryWithoutTowers() throws Exception {
    harness.processElement(message(null), 7);

    assertThat(harness.extractOutputValues())
        .containsExactly(new CellEntry(CELL, List.of(), new Revision(7, 42, 3)));
    assertThat(rejected()).isEmpty();
    assertCounts(1, 0);
  }

  @Test
  void anEntryWithAWrongValueIsRejectedAndTheNextOneGoesOn() throws Exception {
    RawMessage wrong = message(VALUE.replace("LTE", "6G"));
    harness.processElement(wrong, 7);
    harness.processElement(message(VALUE), 8);

    assertThat(harness.extractOutputValues())
        .containsExactly(ENTRY.withRevision(new Revision(8, 42, 3)));
    assertThat(rejected())
        .containsExactly(
            new RejectedMessage(
                wrong,
                new Rejection(RejectionReason.BAD_VALUE, "/radio: expected a known radio"),
                "catalog"));
    assertCounts(1, 1);
  }

  @Test
  void aMessageOfWhichSomethingWasLeftOutIsTooLargeAndNoTombstone() throws Exception {
    harness.processElement(message("{}".repeat(CellEntryJson.MAX_BYTES)).keeping(true, false), 7);

    assertThat(harness.extractOutputValues()).isEmpty();
    assertThat(rejected())
        .extracting(rejected -> rejected.rejection().reason())
        .containsExactly(RejectionReason.MESSAGE_TOO_LARGE);
    assertCounts(0, 1);
  }

  @Test
  void whatIsNotJsonIsRejectedAsMalformed() throws Exception {
    RawMessage malformed = message("{\"cell\":");
    harness.processElement(malformed, 7);

    assertThat(harness.extractOutputValues()).isEmpty();
    assertThat(rejected())
        .containsExactly(
            new RejectedMessage(
                malformed,
                new Rejection(RejectionReason.MALFORMED, "value: malformed JSON at byte 8"),
                "catalog"));
    assertCounts(0, 1);
  }
}
