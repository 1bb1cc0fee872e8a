package io.lastfix.it.faults;

import static org.awaitility.Awaitility.await;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.harness.Hang;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.local.MongoServer;
import io.lastfix.local.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;

/** The members of a replica set, by their number, for tests that do them harm. */
final class ReplicaSet {
  /** MongoDB's error code of a command that the user's roles do not allow. */
  private static final int UNAUTHORIZED = 13;

  private static final int PATIENCE_MILLIS = 10_000;

  /** BSON's length and its end; where mongod is just writing, a length may be anything. */
  private static final int EMPTY_DOCUMENT_BYTES = 5;

  private final MongoServer server;
  private final List<String> hosts;

  ReplicaSet(MongoServer server) {
    this.server = server;
    // In the members' order: the driver's ConnectionString sorts them.
    String endpoint = server.endpoint();
    hosts =
        List.of(endpoint.substring("mongodb://".length(), endpoint.indexOf("/?")).split(",", -1));
  }

  ServerProcess process(int member) {
    return server.processes().get(member);
  }

  /** All but that one. */
  List<Integer> others(int member) {
    return IntStream.range(0, hosts.size()).filter(i -> i != member).boxed().toList();
  }

  /** Waits until one of the members takes writes. */
  int awaitPrimary() {
    return awaitPrimary(member -> true);
  }

  /** Waits until another member than that one takes writes. */
  int awaitPrimaryOtherThan(int member) {
    return awaitPrimary(other -> other != member);
  }

  private int awaitPrimary(IntPredicate wanted) {
    return await("a primary")
        .atMost(LocationRun.LIMIT)
        .until(
            () -> IntStream.range(0, hosts.size()).filter(wanted).filter(this::isPrimary).findAny(),
            OptionalInt::isPresent)
        .getAsInt();
  }

  private boolean isPrimary(int member) {
    return says(member, new Document("hello", 1), "isWritablePrimary");
  }

  /** Waits until a member that was away follows the primary again. */
  void awaitSecondary(int member) {
    await("member %d follows".formatted(member))
        .atMost(LocationRun.LIMIT)
        .until(() -> says(member, new Document("hello", 1), "secondary"));
  }

  private boolean says(int member, Document command, String field) {
    try {
      return run(member, command).getBoolean(field, false);
    } catch (MongoException e) {
      return false;
    }
  }

  /** Waits until a primary has writes that no other member has. */
  void awaitWritesOnlyOn(int primary) {
    await("writes that only the primary has")
        .atMost(LocationRun.LIMIT)
        .until(
            () -> {
              Document times =
                  run(primary, new Document("replSetGetStatus", 1)).get("optimes", Document.class);
              return !times.get("lastCommittedOpTime").equals(times.get("appliedOpTime"));
            });
  }

  /** Has a primary hand over; its connections may break over it. */
  void stepDown(int primary) {
    try {
      run(primary, new Document("replSetStepDown", 60).append("secondaryCatchUpPeriodSecs", 10));
    } catch (MongoSocketException e) {
      // A member that steps down may close the connection before it has answered.
    }
  }

  /** Members that fetch nothing any more from the primary, or do so again. */
  void setLagging(List<Integer> members, boolean lagging) {
    for (int member : members) {
      failPoint(member, "stopReplProducer", lagging, new Document());
    }
  }

  /** Inserts and updates that a member was asked for since it started, whatever became of them. */
  long writesTaken(int member) {
    Document counts =
        run(member, new Document("serverStatus", 1)).get("opcounters", Document.class);
    return counts.get("insert", Number.class).longValue()
        + counts.get("update", Number.class).longValue();
  }

  /** Has every bulk of the job take so much longer, or not any more. */
  void setWriteDelay(int member, Duration delay) {
    failPoint(
        member,
        "failCommand",
        !delay.isZero(),
        new Document("failCommands", List.of("insert", "update"))
            .append("appName", "lastfix")
            .append("blockConnection", true)
            .append("blockTimeMS", delay.toMillis()));
  }

  /** Has the job's next insert refused, as no role allows it: no writer repeats that. */
  void refuseOneInsert(int member) {
    failPoint(
        member,
        "failCommand",
        new Document("times", 1),
        new Document("failCommands", List.of("insert"))
            .append("appName", "lastfix")
            .append("errorCode", UNAUTHORIZED));
  }

  private void failPoint(int member, String name, boolean on, Document data) {
    failPoint(member, name, on ? "alwaysOn" : "off", data);
  }

  private void failPoint(int member, String name, Object mode, Document data) {
    run(member, new Document("configureFailPoint", name).append("mode", mode).append("data", data));
  }

  /** Undoes what a test that failed in between has left undone. */
  void mend() {
    for (int member = 0; member < hosts.size(); member++) {
      process(member).start();
      Hang.end(process(member));
    }
    server.awaitReady(LocationRun.LIMIT);
    setLagging(IntStream.range(0, hosts.size()).boxed().toList(), false);
  }

  /** Asks one member, whatever it is at the time. */
  private Document run(int member, Document command) {
    try (MongoClient client = connect(member)) {
      return client.getDatabase("admin").runCommand(command);
    }
  }

  private MongoClient connect(int member) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(
                new ConnectionString(
                    "mongodb://%s/?directConnection=true".formatted(hosts.get(member))))
            .applyToClusterSettings(
                cluster -> cluster.serverSelectionTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
            .applyToSocketSettings(
                socket ->
                    socket
                        .connectTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                        .readTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS))
            .build());
  }

  /**
   * How many documents members have taken back, because no majority ever had them. A mongod writes
   * what it takes back to files of BSON under {@code rollback}, each document led by its length.
   *
   * @param directory of the test's servers
   */
  static long documentsRolledBack(Path directory) {
    long documents = 0;
    for (Path rollback : rollbackDirectories(directory)) {
      // Nothing is deleted there, as it is elsewhere in a running server's data.
      try (Stream<Path> files = Files.walk(rollback)) {
        for (Path file : files.filter(file -> file.toString().endsWith(".bson")).toList()) {
          documents += documentsIn(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return documents;
  }

  private static List<Path> rollbackDirectories(Path directory) {
    Path data = directory.resolve("data");
    if (!Files.exists(data)) {
      return List.of();
    }
    try (Stream<Path> servers = Files.list(data)) {
      return servers.map(server -> server.resolve("rollback")).filter(Files::exists).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without one that the server is just writing. */
  private static long documentsIn(Path file) throws IOException {
    ByteBuffer bson = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    long documents = 0;
    while (bson.remaining() >= Integer.BYTES) {
      int length = bson.getInt(bson.position());
      if (length < EMPTY_DOCUMENT_BYTES || length > bson.remaining()) {
        break;
      }
      bson.position(bson.position() + length);
      documents++;
    }
    return documents;
  }
}
