package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.serialization.RecordTypes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
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

/** The workflow in one JVM, with a list as its source and another as its sink. */
class RebuildLastKnownLocationJobTest {
  /** Fewer slots than subtasks, as beside a running location job. */
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(1)
              .build());

  private static final CellId CELL = CellId.parse("311-480-9728-9903886");
  private static final Position PLACE = new Position(-122.39, 37.78);
  private static final int USERS = 50;
  private static final int RECORDS_OF_A_USER = 40;

  private final CollectingSink<LocatedRecord> lastKnownLocation = new CollectingSink<>();

  @AfterEach
  void forgetWhatWasCollected() {
    CollectingSink.clear();
  }

  @Test
  void theSinkGetsEachUserOnceWithTheNewestRecordWhateverTheOrder() throws Exception {
    List<LocatedRecord> records = new ArrayList<>();
    for (int user = 0; user < USERS; user++) {
      for (int ts = 1; ts <= RECORDS_OF_A_USER; ts++) {
        records.add(record(user, ts));
      }
    }
    Collections.shuffle(records, new Random(1));

    JobExecutionResult result = run(records);

    List<LocatedRecord> newest = new ArrayList<>();
    for (int user = 0; user < USERS; user++) {
      newest.add(record(user, RECORDS_OF_A_USER));
    }
    assertThat(lastKnownLocation.collected()).containsExactlyInAnyOrderElementsOf(newest);
    assertThat(result.<Long>getAccumulatorResult(RebuildLastKnownLocationJob.DOCUMENTS))
        .isEqualTo(USERS * RECORDS_OF_A_USER);
    assertThat(result.<Long>getAccumulatorResult(RebuildLastKnownLocationJob.USERS))
        .isEqualTo(USERS);
  }

  @Test
  void theUsersOwnFlinkKeysCannotMakeItAStream() {
    LocationJobConfig config =
        LocationJobConfig.load(
            null, List.of("flink.execution.runtime-mode=STREAMING"), name -> null);

    Configuration flink = HistoryJob.flinkConfiguration(config, RuntimeExecutionMode.BATCH);

    assertThat(flink.get(ExecutionOptions.RUNTIME_MODE)).hasToString("BATCH");
  }

  private JobExecutionResult run(List<LocatedRecord> records) throws Exception {
    ArrayList<LocatedRecord> serializable = new ArrayList<>(records);
    LocationJobConfig config =
        LocationJobConfig.load(null, List.of("job.parallelism=3"), name -> null);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            HistoryJob.flinkConfiguration(config, RuntimeExecutionMode.BATCH));
    GeneratorFunction<Long, LocatedRecord> byIndex =
        index -> serializable.get(Math.toIntExact(index));
    RebuildLastKnownLocationJob.defineWorkflow(
        environment,
        new DataGeneratorSource<>(byIndex, records.size(), RecordTypes.LOCATED_RECORD),
        lastKnownLocation);
    return environment.execute();
  }

  private static LocatedRecord record(int user, long timestampMillis) {
    return new LocatedRecord("user" + user, CELL, timestampMillis, PLACE);
  }
}
