package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.Scenario.Message;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.it.Scenario.Version;
import io.lastfix.stack.Installation;
import io.lastfix.stack.flink.StopWithSavepoint;
import io.lastfix.workload.Gzip;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the savepoint and the collections of a {@link StoreFixture}: runs the job of the tree that
 * this file lies in. It is copied into the tree of the former version and thus uses only what both
 * versions have; see the README beside the fixture. It is no test: its name keeps it out of the
 * build.
 */
class MakeStore {
  @TempDir private Path directory;

  /** The fixture's folder: it holds the messages and the towers, and gets the rest. */
  private final Path folder = Path.of(System.getProperty("lastfix.fixture", ""));

  @Test
  void runThisVersionAndKeepItsSavepointAndItsCollections() throws Exception {
    Files.createDirectory(folder.resolve("collections"));
    try (TestStack stack = TestStack.start(directory);
        LocationRun run =
            new LocationRun(
                stack,
                directory,
                folder.getFileName().toString(),
                "kafka.new-topic.partitions=1")) {
      run.publish(towers());
      String first = run.submit(Installation.jobJar(), null, "job.parallelism=1");
      // Those in unknown cells and in late ones are stored without a position after 2 s.
      run.send(messages("messages-stored.jsonl.gz"));
      run.drain(first);

      String second =
          run.submit(
              Installation.jobJar(),
              stop(stack, first),
              "job.parallelism=1",
              "locate.max-wait=10 min");
      run.send(messages("messages-waiting.jsonl.gz"));
      await("all is read").atMost(LocationRun.LIMIT).until(() -> run.lag() == 0);
      System.out.printf("[fixture] %d records wait%n", run.metrics(second).waiting());
      copy(Path.of(URI.create(stop(stack, second))), folder.resolve("savepoint"));

      List<String> collections = new ArrayList<>(run.historyCollections());
      collections.add(run.config().lastKnownLocation().collection());
      for (String collection : collections) {
        List<Document> documents =
            run.database().getCollection(collection).find().into(new ArrayList<>());
        System.out.printf("[fixture] %s: %d documents%n", collection, documents.size());
        if (!documents.isEmpty()) {
          write(folder.resolve("collections/" + collection + ".jsonl.gz"), documents);
        }
      }
    }
  }

  private String stop(TestStack stack, String job) throws Exception {
    return new StopWithSavepoint(stack.flink())
        .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
  }

  private List<TowerFact> towers() throws Exception {
    List<TowerFact> towers = new ArrayList<>();
    for (Document tower : read("towers.jsonl.gz")) {
      List<Version> versions = new ArrayList<>();
      for (Document version : tower.getList("versions", Document.class)) {
        versions.add(
            new Version(
                Instant.parse(version.getString("from")),
                version.getDouble("lon"),
                version.getDouble("lat")));
      }
      towers.add(
          new TowerFact(
              tower.getInteger("mcc"),
              tower.getInteger("mnc"),
              tower.getInteger("area"),
              tower.get("cid", Number.class).longValue(),
              tower.getString("radio"),
              versions));
    }
    return towers;
  }

  private List<Message> messages(String name) throws Exception {
    return read(name).stream()
        .map(
            message ->
                new Message(
                    message.getString("profile"), message.getString("text"), List.of(), null))
        .toList();
  }

  private List<Document> read(String name) throws Exception {
    try (GZIPInputStream lines = new GZIPInputStream(Files.newInputStream(folder.resolve(name)))) {
      return new String(lines.readAllBytes(), UTF_8).lines().map(Document::parse).toList();
    }
  }

  /** Such that each value has the same BSON type when it is read. */
  private static void write(Path file, List<Document> documents) throws Exception {
    JsonWriterSettings extended =
        JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build();
    StringBuilder lines = new StringBuilder();
    documents.forEach(document -> lines.append(document.toJson(extended)).append('\n'));
    Files.write(file, Gzip.compress(lines.toString().getBytes(UTF_8)));
  }

  private static void copy(Path from, Path to) throws Exception {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      List<Path> all = files.toList();
      for (Path file : all) {
        Files.copy(file, to.resolve(file.getFileName().toString()));
      }
    }
  }
}
