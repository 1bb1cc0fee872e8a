package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the savepoint and the collections of a release, for {@link UpgradeIT} of the releases after
 * it; see the README beside the savepoints. It is no test: its name keeps it out of the build.
 */
class MakeSavepointFixture {
  @TempDir private Path directory;

  @Test
  void makeTheSavepointAndTheCollectionsOfThisRelease() throws Exception {
    String release = System.getProperty("lastfix.release", "");
    assertThat(release).as("-Dlastfix.release=").matches("\\d+\\.\\d+\\.\\d+");
    SavepointFixture fixture = SavepointFixture.of(release);
    assertThat(fixture.savepoint()).doesNotExist();
    try (TestStack stack = TestStack.startCold(directory, 1, 4);
        LocationRun run = fixture.run(stack, directory)) {
      run.publish(fixture.knownTowers());
      String job = run.submit(Installation.jobJar(), null, "job.parallelism=1");
      run.send(fixture.storedMessages());
      run.send(fixture.waitingMessages());
      await("all is stored or waits")
          .atMost(LocationRun.LIMIT)
          .until(
              () ->
                  run.metrics(job).waiting() == fixture.waitingMessages().size()
                      && run.historyDocuments() == fixture.storedMessages().size());
      String savepoint =
          new StopWithSavepoint(stack.flink())
              .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
      copy(Path.of(URI.create(savepoint)), fixture.savepoint());
      for (String collection : run.historyCollections()) {
        fixture.keep(run.database().getCollection(collection));
      }
      fixture.keep(run.database().getCollection(run.config().lastKnownLocation().collection()));
    }
  }

  private static void copy(Path from, Path to) throws Exception {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      List<Path> all = files.toList();
      for (Path file : all) {
        Files.copy(file, to.resolve(file.getFileName().toString()));
      }
    }
  }
}
