package io.lastfix.it.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.bench.Bench;
import io.lastfix.bench.stage.MeasuringSink;
import io.lastfix.bench.stage.StageJob;
import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job that measures the stages, from its own jar, as {@code lastfix bench stages} submits it.
 */
class StageJobIT {
  private static final long SEED = 20261201;
  private static final String COUNT = MeasuringSink.NAME + "__Writer." + MeasuringSink.RECORDS;

  @TempDir private Path directory;

  @Test
  void aClusterRunsItFromItsOwnJarAndItCountsEveryRecordAndStoresNone() throws Exception {
    TestStack stack = TestStack.shared();
    Scenario scenario = new Scenario(SEED, 500);
    List<Message> messages = scenario.messages();
    long good = messages.stream().mapToLong(message -> message.facts().size()).sum();
    try (LocationRun run = new LocationRun(stack, directory, "stage-job", "job.parallelism=2")) {
      run.publish(scenario.allTowers());
      run.send(messages);

      String job = run.submit(Bench.stageJobJar(), StageJob.class, List.of("--until", "locate"));

      await("all good records have passed the join")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(stack.flink().metrics(job, COUNT::equals, Aggregation.SUM))
                      .containsEntry(COUNT, (double) good));
      assertThat(run.restarts(job)).as("restarts").isZero();
      assertThat(run.database().listCollectionNames()).as("collections").isEmpty();
    }
  }
}
