package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.it.Scenario.Fact;
import io.lastfix.it.Scenario.Message;
import io.lastfix.it.Scenario.Own;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.it.Scenario.Version;
import io.lastfix.stack.Installation;
import io.lastfix.workload.Gzip;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What a former version has left behind: a savepoint, both collections, and the messages that they
 * are of. The README beside the files tells how they were made.
 *
 * <p>All is in files, and each line of them is a document in extended JSON. A later change of the
 * {@link Scenario} thus cannot make another fixture of it.
 */
final class StoreFixture {
  /** When the messages are sent. */
  enum Part {
    /** Read and stored before the savepoint. */
    STORED("stored"),
    /** Read before the savepoint; those in cells that come late wait in it. */
    WAITING("waiting"),
    /** Sent after the upgrade. */
    AFTER("after"),
    /** Sent before the replay: their cells never come, and a drain would wait for them. */
    AT_REPLAY("at-replay");

    private final String file;

    Part(String file) {
      this.file = file;
    }
  }

  private static final String TOWERS = "towers.jsonl.gz";
  private static final String LATE_TOWERS = "late-towers.jsonl.gz";

  private final Path folder;

  private StoreFixture(Path folder) {
    this.folder = folder;
  }

  static StoreFixture of(String version) {
    return new StoreFixture(
        Installation.root().resolve("integration-tests/src/test/resources/stores/" + version));
  }

  Path folder() {
    return folder;
  }

  Path savepoint() {
    return folder.resolve("savepoint");
  }

  /** Known before the first message. */
  List<TowerFact> towers() {
    return read(TOWERS).stream().map(StoreFixture::tower).toList();
  }

  /** Published after the upgrade. */
  List<TowerFact> lateTowers() {
    return read(LATE_TOWERS).stream().map(StoreFixture::tower).toList();
  }

  List<TowerFact> allTowers() {
    return Stream.concat(towers().stream(), lateTowers().stream()).toList();
  }

  List<Message> messages(Part part) {
    return read(file(part)).stream().map(StoreFixture::message).toList();
  }

  /** The documents of all collections, by their name. */
  Map<String, List<Document>> collections() {
    try (Stream<Path> files = Files.list(folder.resolve("collections"))) {
      return files.collect(
          Collectors.toMap(
              file -> file.getFileName().toString().replace(".jsonl.gz", ""),
              StoreFixture::read,
              (a, b) -> a,
              TreeMap::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void writeTowers(Collection<TowerFact> towers, Collection<TowerFact> lateTowers) {
    write(TOWERS, towers.stream().map(StoreFixture::document).toList());
    write(LATE_TOWERS, lateTowers.stream().map(StoreFixture::document).toList());
  }

  void writeMessages(Part part, Collection<Message> messages) {
    write(file(part), messages.stream().map(StoreFixture::document).toList());
  }

  private static String file(Part part) {
    return "messages-" + part.file + ".jsonl.gz";
  }

  private List<Document> read(String name) {
    return read(folder.resolve(name));
  }

  private static List<Document> read(Path file) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), UTF_8))) {
      return lines.lines().map(Document::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String name, List<Document> documents) {
    String lines =
        documents.stream().map(document -> document.toJson() + "\n").collect(Collectors.joining());
    try {
      Files.createDirectories(folder);
      Files.write(folder.resolve(name), Gzip.compress(lines.getBytes(UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Document document(TowerFact tower) {
    return new Document("mcc", tower.mcc())
        .append("mnc", tower.mnc())
        .append("area", tower.area())
        .append("cid", tower.cid())
        .append("radio", tower.radio())
        .append(
            "versions",
            tower.versions().stream()
                .map(
                    version ->
                        new Document("from", version.from().toString())
                            .append("lon", version.lon())
                            .append("lat", version.lat()))
                .toList());
  }

  private static TowerFact tower(Document document) {
    List<Version> versions = new ArrayList<>();
    for (Document version : document.getList("versions", Document.class)) {
      versions.add(
          new Version(
              Instant.parse(version.getString("from")),
              version.getDouble("lon"),
              version.getDouble("lat")));
    }
    return new TowerFact(
        document.getInteger("mcc"),
        document.getInteger("mnc"),
        document.getInteger("area"),
        document.get("cid", Number.class).longValue(),
        document.getString("radio"),
        versions);
  }

  private static Document document(Message message) {
    return new Document("profile", message.profile())
        .append("text", message.text())
        .append("facts", message.facts().stream().map(StoreFixture::document).toList())
        .append("rejectedAs", message.rejectedAs());
  }

  private static Message message(Document document) {
    return new Message(
        document.getString("profile"),
        document.getString("text"),
        document.getList("facts", Document.class).stream().map(StoreFixture::fact).toList(),
        document.getString("rejectedAs"));
  }

  private static Document document(Fact fact) {
    Own own = fact.own();
    return new Document("user", fact.user())
        .append("mcc", fact.mcc())
        .append("mnc", fact.mnc())
        .append("area", fact.area())
        .append("cid", fact.cid())
        .append("radio", fact.radio())
        .append("ts", fact.ts().toString())
        .append(
            "own",
            own == null
                ? null
                : new Document("lon", own.lon())
                    .append("lat", own.lat())
                    .append("accuracy", own.accuracy())
                    .append("altitude", own.altitude())
                    .append("source", own.source()));
  }

  private static Fact fact(Document document) {
    @Nullable Document own = document.get("own", Document.class);
    return new Fact(
        document.getString("user"),
        document.getInteger("mcc"),
        document.getInteger("mnc"),
        document.getInteger("area"),
        document.get("cid", Number.class).longValue(),
        document.getString("radio"),
        Instant.parse(document.getString("ts")),
        own == null
            ? null
            : new Own(
                own.getDouble("lon"),
                own.getDouble("lat"),
                own.getDouble("accuracy"),
                own.getDouble("altitude"),
                own.getString("source")));
  }
}
