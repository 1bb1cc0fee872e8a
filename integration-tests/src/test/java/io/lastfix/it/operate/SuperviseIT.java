package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LastfixProcess.Running;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestServers;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix supervise}, {@code stop}, {@code down} and {@code submit --resume} as their user
 * starts them, over a local stack that is done harm, at last by a full disk.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SuperviseIT {
  private static final long SEED = 20261124;
  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(100, 500);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

  /** What a JVM exits with that SIGTERM has ended: 128 and the signal's number. */
  private static final int TERMINATED = 143;

  @TempDir private static Path directory;

  /** Of the disk on which the stack is; it takes memory only for what is written. */
  private static final String DISK_SIZE = "2g";

  private static StackHome home;

  /** Why the stack has no disk of its own; empty if it has. */
  private static String noDisk = "";

  private static LastfixProcess lastfix;
  private static LocalServers servers;

  /** Where {@code lastfix up} has put its servers; they stay there when they are started again. */
  private record LocalServers(String mongoUri, String kafka, String flinkUrl)
      implements TestServers {}

  @BeforeAll
  static void bringUp() throws Exception {
    home = new StackHome(directory.resolve("home"));
    Files.createDirectories(home.root());
    noDisk =
        system("mount", "-t", "tmpfs", "-o", "size=" + DISK_SIZE, "tmpfs", home.root().toString());
    lastfix = new LastfixProcess(home.root(), directory).withPortsOfItsOwn();
    lastfix
        .run(COMMAND_LIMIT, "up", "--taskmanagers", "2", "--slots", "2", "--timeout", "120")
        .mustExitWith(0);
    var endpoints = StackState.read(home).orElseThrow().endpoints();
    servers =
        new LocalServers(endpoints.get("mongodb"), endpoints.get("kafka"), endpoints.get("flink"));
  }

  @AfterAll
  static void takeDownWhatAFailureLeft() throws Exception {
    try {
      if (lastfix != null && !lastfix.serversRunning().isEmpty()) {
        lastfix.run(COMMAND_LIMIT, "down", "--purge").mustExitWith(0);
      }
    } finally {
      if (noDisk.isEmpty()) {
        // Also if a process that a failure left has files open there.
        assertThat(system("umount", "-l", home.root().toString())).isEmpty();
      }
    }
  }

  /** What a program of the system prints if it fails; empty if it succeeds. */
  private static String system(String... command) throws IOException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
      return process.waitFor() == 0 ? "" : command[0] + " failed: " + printed;
    } catch (IOException e) {
      return command[0] + " cannot be run: " + e.getMessage();
    }
  }

  @Test
  @Order(1)
  void nothingIsLostOrDoubledWhenTheJobManagerIsKilledAndTheJobGoesOnFromItsLastCheckpoint()
      throws Exception {
    Scenario scenario = new Scenario(SEED, Chaos.shortOrLong(6_000, 100_000));
    List<Message> messages = allMessages(scenario);
    try (LocationRun run = run("jobmanager")) {
      run.publish(scenario.towers());
      FlinkRest flink = servers.flink();
      String first = submit(run);
      try (Running supervise = supervise(run);
          Load load = Load.start(run, messages, MESSAGES_PER_SECOND)) {
        // The rest from the kill on, however long it takes until then.
        load.sendOnly(load.size() / 4);
        await("records wait for their cell")
            .atMost(LocationRun.LIMIT)
            .until(() -> run.metrics(first).waiting() > 0);
        long checkpoint = flink.latestCheckpoint(first);
        await("a checkpoint holds them")
            .atMost(LocationRun.LIMIT)
            .until(() -> flink.latestCompletedCheckpoint(first) > checkpoint);
        await("supervise has seen the job run")
            .atMost(LocationRun.LIMIT)
            .until(() -> supervise.out().contains("runs (" + first + ")"));
        List<RecordedProcess> taskManagers = processes(name -> name.startsWith("taskmanager-"));

        load.sendOnly(load.size());
        Instant killed = Instant.now();
        int sentBefore = load.stored();
        kill(name -> name.equals("jobmanager"));
        String second = awaitAnother(run, first);
        Duration outage = Duration.between(killed, Instant.now());
        int sentMeanwhile = load.stored() - sentBefore;

        assertThat(sentMeanwhile).as("messages sent meanwhile").isPositive();
        assertThat(processes(name -> name.startsWith("taskmanager-")))
            .as("the TaskManagers' processes")
            .isEqualTo(taskManagers);
        run.publish(scenario.lateTowers());
        load.finish();
        run.drain(second);
        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertRejected(messages, run.distinctRejected());
        assertThat(supervise.out())
            .contains("jobmanager had ended: started again", "from file:", "runs again");
        FaultReport.of("JobManager killed")
            .count(messages.stream().mapToLong(Message::records).sum(), "records")
            .time("outage", outage)
            .count(sentMeanwhile, "messages sent meanwhile")
            .count(run.metrics(second).historyDuplicates(), "duplicates absorbed")
            .print();

        supervise.terminate();
        Result ended = supervise.await(COMMAND_LIMIT).mustExitWith(TERMINATED);
        assertThat(ended.out()).contains("the servers and the job continue to run");
        assertThat(flink.job(second).isRunning()).as("the job goes on").isTrue();
      }
    }
  }

  @Test
  @Order(2)
  void aKilledMongodBrokerAndTaskManagerAreStartedAgainAndACancelledJobIsLeftAlone()
      throws Exception {
    Scenario scenario = new Scenario(SEED + 1, 2_000);
    List<Message> first = scenario.withoutUnknownCells(scenario.firstHalf());
    List<Message> second = scenario.withoutUnknownCells(scenario.secondHalf());
    List<String> victims = List.of("mongod-0", "kafka", "taskmanager-0");
    try (LocationRun run = run("servers")) {
      run.publish(scenario.allTowers());
      String job = submit(run);
      try (Running supervise = supervise(run)) {
        run.send(first);
        List<RecordedProcess> before = processes(victims::contains);
        Instant killed = Instant.now();
        kill(victims::contains);
        await("all are started again")
            .atMost(LocationRun.LIMIT)
            .until(
                () ->
                    processes(victims::contains).stream()
                        .allMatch(
                            process -> process.find().isPresent() && !before.contains(process)));
        run.send(second);
        run.drain(job);
        Duration outage = Duration.between(killed, Instant.now());

        List<Message> sent = Stream.concat(first.stream(), second.stream()).toList();
        run.assertHolds(new Oracle(scenario.allTowers()), sent);
        run.assertRejected(sent, run.distinctRejected());
        FaultReport.of("mongod, broker and TaskManager killed at once")
            .count(sent.stream().mapToLong(Message::records).sum(), "records")
            .time("all stored after", outage)
            .print();

        servers.flink().cancel(job);
        Result ended = supervise.await(COMMAND_LIMIT).mustExitWith(0);
        assertThat(ended.out()).contains("was cancelled by a person");
      }
      Result refused = supervise(run).await(COMMAND_LIMIT).mustExitWith(1);
      assertThat(refused.err()).contains("was cancelled by a person");
    }
  }

  @Test
  @Order(3)
  void aJobThatWasTakenDownGoesOnWithTheRecordsThatWaitedForTheirCell() throws Exception {
    Scenario scenario = new Scenario(SEED + 2, 1_000);
    List<Message> messages = allMessages(scenario);
    try (LocationRun run = run("down")) {
      run.publish(scenario.towers());
      String first = submit(run);
      run.send(messages);
      await("records wait for their cell")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.metrics(first).waiting() > 0);

      Result down = lastfix.run(COMMAND_LIMIT, "down").mustExitWith(0);
      assertThat(down.err()).contains("with a savepoint").doesNotContain("is killed");
      lastfix.run(COMMAND_LIMIT, "up", "--timeout", "120").mustExitWith(0);

      Result resumed =
          lastfix.run(COMMAND_LIMIT, run.command("submit", "location", "--resume", "--json"));
      String second = resumed.mustExitWith(0).json().path("id").asText();
      assertThat(resumed.json().path("from").asText())
          .contains("savepoint-" + first.substring(0, 6));
      run.publish(scenario.lateTowers());
      run.drain(second);
      run.assertHolds(new Oracle(scenario.allTowers()), messages);
      run.assertRejected(messages, run.distinctRejected());

      Result stopped =
          lastfix.run(
              COMMAND_LIMIT,
              run.command(
                  "stop",
                  "location",
                  "--savepoint-dir",
                  directory.resolve("operators-own").toUri().toString(),
                  "--json"));
      assertThat(stopped.mustExitWith(0).json().path("savepoint").asText())
          .contains("operators-own/savepoint-");
      Result again =
          lastfix.run(COMMAND_LIMIT, run.command("submit", "location", "--resume", "--json"));
      assertThat(again.mustExitWith(0).json().path("from").asText())
          .isEqualTo(stopped.json().path("savepoint").asText());
    }
  }

  @Test
  @Order(4)
  void aCheckpointThatIsGoneIsSaidAndNothingIsStarted() throws Exception {
    try (LocationRun run = run("gone")) {
      Result refused =
          lastfix.run(
              COMMAND_LIMIT,
              run.command("submit", "location", "--from-savepoint", "file:/no/such/savepoint"));

      assertThat(refused.mustExitWith(1).err()).contains("/no/such/savepoint");
      assertThat(servers.flink().jobs().stream().filter(job -> job.isUnfinished("gone"))).isEmpty();
      assertThat(
              lastfix
                  .run(COMMAND_LIMIT, run.command("submit", "location", "--resume"))
                  .mustExitWith(1)
                  .err())
          .contains("no job 'gone' was ever submitted from here");
    }
  }

  @Test
  @Order(5)
  void aFullDiskIsNamedAndNoRecordIsLostOnceThereIsRoom() throws Exception {
    assumeTrue(noDisk.isEmpty(), () -> "needs a disk of a fixed size, by root: " + noDisk);
    Scenario scenario = new Scenario(SEED + 3, 1_000);
    List<Message> first = scenario.withoutUnknownCells(scenario.firstHalf());
    List<Message> second = scenario.withoutUnknownCells(scenario.secondHalf());
    try (LocationRun run = run("disk")) {
      run.publish(scenario.allTowers());
      String job = submit(run);
      // Some of it is stored before the disk is full, some is not.
      run.send(first);
      leaveNoRoom();
      writeUntilMongodEnds();

      Result named = lastfix.run(COMMAND_LIMIT, run.command("status")).mustExitWith(1);
      assertThat(named.out())
          .containsPattern("DISK {5}" + home.root() + ": [0-9,]+ bytes free of [0-9,]+ ")
          .containsPattern("TO DO {4}make room in .* first; then lastfix up starts .*mongod-0")
          .doesNotContain("\tat ");
      assertThat(named.err()).as("what Log4j prints").isEmpty();

      assertThat(resizeDisk(DISK_SIZE)).isEmpty();
      lastfix.run(COMMAND_LIMIT, "up", "--timeout", "120").mustExitWith(0);
      run.send(second);
      run.drain(job);
      List<Message> sent = Stream.concat(first.stream(), second.stream()).toList();
      run.assertHolds(new Oracle(scenario.allTowers()), sent);
      run.assertRejected(sent, run.distinctRejected());
      assertThat(lastfix.run(COMMAND_LIMIT, run.command("status")).mustExitWith(0).out())
          .doesNotContain("DISK ");
    }
  }

  /** The disk shrinks to what is used of it: to fill it would cost the machine's memory. */
  private static void leaveNoRoom() throws Exception {
    FileStore disk = Files.getFileStore(home.root());
    // The system refuses a size below what is used, and the servers write all the time.
    await("the disk is as small as what is on it")
        .atMost(COMMAND_LIMIT)
        .until(
            () -> resizeDisk(Long.toString(disk.getTotalSpace() - disk.getUsableSpace())),
            String::isEmpty);
  }

  /** What the system prints if it refuses. */
  private static String resizeDisk(String size) throws IOException, InterruptedException {
    return system("mount", "-o", "remount,size=" + size, home.root().toString());
  }

  /** Its next write finds no room, and MongoDB stops rather than lose it. */
  private static void writeUntilMongodEnds() {
    MongoClientSettings settings =
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(servers.mongoUri()))
            .applyToClusterSettings(it -> it.serverSelectionTimeout(1, TimeUnit.SECONDS))
            .build();
    byte[] incompressible = new byte[8 << 20];
    new Random(SEED).nextBytes(incompressible);
    try (MongoClient client = MongoClients.create(settings)) {
      await("mongod has ended")
          .atMost(LocationRun.LIMIT)
          .until(
              () -> {
                try {
                  client
                      .getDatabase("more")
                      .getCollection("more")
                      .insertOne(new Document("bytes", incompressible));
                } catch (MongoException e) {
                  // It may refuse before it ends.
                }
                return processes(name -> name.equals("mongod-0")).stream()
                    .allMatch(process -> process.find().isEmpty());
              });
    }
  }

  /** Records wait longer for their cell than any outage takes. */
  private static LocationRun run(String name) throws Exception {
    return new LocationRun(servers, directory, name, "job.parallelism=2", "locate.max-wait=10 min");
  }

  private static String submit(LocationRun run) throws Exception {
    String id =
        lastfix
            .run(COMMAND_LIMIT, run.command("submit", "location", "--json"))
            .mustExitWith(0)
            .json()
            .path("id")
            .asText();
    FlinkRest flink = servers.flink();
    await("every task of the job runs")
        .atMost(LocationRun.LIMIT)
        .until(() -> flink.areAllTasksRunning(id));
    return id;
  }

  private static Running supervise(LocationRun run) throws IOException {
    return lastfix.start(run.command("supervise", "location"));
  }

  private static List<RecordedProcess> processes(Predicate<String> name) {
    return StackState.read(home).orElseThrow().processes().stream()
        .filter(process -> name.test(process.name()))
        .toList();
  }

  private static void kill(Predicate<String> name) {
    processes(name).forEach(process -> process.find().orElseThrow().destroyForcibly());
  }

  /** Waits until another job of that name runs; meanwhile the cluster does not answer. */
  private static String awaitAnother(LocationRun run, String first) {
    return await("another job runs")
        .atMost(LocationRun.LIMIT)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> runningOtherThan(run, first), Optional::isPresent)
        .orElseThrow();
  }

  private static Optional<String> runningOtherThan(LocationRun run, String first)
      throws IOException {
    FlinkRest flink = servers.flink();
    for (FlinkRest.Job job : flink.jobs()) {
      if (job.name().equals(run.config().name())
          && !job.id().equals(first)
          && flink.areAllTasksRunning(job.id())) {
        return Optional.of(job.id());
      }
    }
    return Optional.empty();
  }

  /** Without those that would wait for ever: nothing is drained while a record waits. */
  private static List<Message> allMessages(Scenario scenario) {
    return scenario.withoutUnknownCells(
        Stream.concat(scenario.firstHalf().stream(), scenario.secondHalf().stream()).toList());
  }
}
