package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRun;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.ProcessArguments;
import io.lastfix.it.harness.SecuredServers;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.provision.ProvisionMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A MongoDB and a Kafka that ask for TLS and a password: the job and the commands get in by a
 * configuration file and the environment alone, under the roles that ship; what is wrong is said
 * when the job is submitted; and the passwords are found nowhere.
 */
class SecurityIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  // What no log, page, argument or error may hold.
  private static final String JOB_PASSWORD = "planted-job-8d1f";
  private static final String ANALYST_PASSWORD = "planted-analyst-77ab";
  private static final String AUDIT_PASSWORD = "planted-auditor-3e1c";
  private static final String KAFKA_PASSWORD = "planted-kafka-52c7";
  private static final String FLINK_SECRET = "planted-flink-90be";
  private static final String WRONG_PASSWORD = "planted-wrong-13e4";
  private static final String REBUILD_PASSWORD = "planted-rebuild-3f0c";
  private static final String RELOCATE_PASSWORD = "planted-relocate-6d1e";
  private static final String KEEPER_PASSWORD = "planted-keeper-6e55";
  private static final String FORGET_PASSWORD = "planted-forget-e21b";
  private static final String PSEUDONYM_KEY = "planted-pseudonym-key-6d05";
  private static final String KEY = "planted-key-4c9a";
  private static final List<String> SECRETS =
      List.of(
          JOB_PASSWORD,
          ANALYST_PASSWORD,
          AUDIT_PASSWORD,
          KAFKA_PASSWORD,
          FLINK_SECRET,
          WRONG_PASSWORD,
          REBUILD_PASSWORD,
          RELOCATE_PASSWORD,
          KEEPER_PASSWORD,
          FORGET_PASSWORD,
          PSEUDONYM_KEY,
          KEY);

  // What may be anywhere: shows that a search finds what is there.
  private static final String JOB_NAME = "marker-job";
  private static final String GROUP = "marker-group";

  private static final Path SAMPLE_CELLS =
      Installation.root().resolve("config/sample/san-francisco-cells.csv.gz");
  private static final Path ROLES = Installation.root().resolve("config/mongodb/roles.json");
  private static final int RECORDS = 400;
  private static final int USERS = 20;

  @TempDir private static Path directory;

  private static SecuredServers security;
  private static TestStack stack;
  private static MongoClient administrator;

  @BeforeAll
  static void startServers() throws Exception {
    security =
        new SecuredServers(
            Files.createDirectory(directory.resolve("certificates")), KAFKA_PASSWORD);
    stack = TestStack.startSecured(directory.resolve("stack"), security);
    administrator = security.administrator(stack.mongoUri());
    createRoles();
    createUser("job", JOB_PASSWORD, "lastfixJob");
    createUser("analyst", ANALYST_PASSWORD, "lastfixReader");
    createUser("auditor", AUDIT_PASSWORD, "lastfixReader", "lastfixAudit");
    createUser("rebuilder", REBUILD_PASSWORD, "lastfixRebuild");
    createUser("relocator", RELOCATE_PASSWORD, "lastfixRelocate");
    createUser("keeper", KEEPER_PASSWORD, "lastfixRetention");
    createUser("forgetter", FORGET_PASSWORD, "lastfixForget");
    logWhatClientsAreToldAsMostClustersDo();
  }

  /** The drivers write their settings at INFO, which the local stack leaves out. */
  private static void logWhatClientsAreToldAsMostClustersDo() throws IOException {
    stack.cluster().stop();
    Path file;
    try (Stream<Path> files = Files.walk(directory.resolve("stack"))) {
      file = files.filter(path -> path.endsWith("log4j2.properties")).findFirst().orElseThrow();
    }
    Files.writeString(file, Files.readString(file).replace("WARN", "INFO"));
    stack.cluster().processes().forEach(ServerProcess::start);
    stack.cluster().awaitReady(LIMIT);
  }

  /** One that a failed test left would be in the way of the next. */
  @AfterEach
  void endJobs() throws IOException {
    for (FlinkRest.Job job : stack.flink().jobs()) {
      if (!job.isOver()) {
        end(job.id());
      }
    }
  }

  private static void end(String job) throws IOException {
    FlinkRest flink = stack.flink();
    flink.cancel(job);
    await("the job has ended").atMost(LIMIT).until(() -> flink.job(job).isOver());
  }

  @AfterAll
  static void stopServers() {
    if (administrator != null) {
      administrator.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  /** Makes one document of History as if its cell had been unknown; returns its collection. */
  private static String takeAPosition(MongoDatabase database) {
    for (String name : database.listCollectionNames()) {
      if (name.startsWith("history_")
          && database
                  .getCollection(name)
                  .updateOne(
                      new Document("src", "cell"),
                      new Document("$unset", new Document("loc", "").append("src", ""))
                          .append("$set", new Document("radio", null)))
                  .getModifiedCount()
              == 1) {
        return name;
      }
    }
    throw new AssertionError("no record of History is at a cell");
  }

  /** What create-roles.js does in mongosh, by the driver. */
  private static void createRoles() throws IOException {
    for (Document role :
        Document.parse("{roles: " + Files.readString(ROLES) + "}")
            .getList("roles", Document.class)) {
      administrator
          .getDatabase(role.getString("db"))
          .runCommand(
              new Document("createRole", role.getString("role"))
                  .append("privileges", role.get("privileges"))
                  .append("roles", role.get("roles")));
    }
  }

  private static void createUser(String name, String password, String... roles) {
    administrator
        .getDatabase("admin")
        .runCommand(
            new Document("createUser", name)
                .append("pwd", password)
                .append(
                    "roles",
                    Arrays.stream(roles)
                        .map(role -> new Document("role", role).append("db", "lastfix"))
                        .toList()));
  }

  private static String configuration() {
    return """
        job.name: %s
        profiles.names: json
        checkpoint.interval: 1 s
        restart.initial-backoff: 1 min
        mongo.uri: %s
        mongo.tls.ca-file: %s
        kafka.bootstrap-servers: %s
        kafka.group-id: %s
        kafka.properties:
          security.protocol: SASL_SSL
          sasl.mechanism: SCRAM-SHA-512
          sasl.jaas.config: >-
            org.apache.kafka.common.security.scram.ScramLoginModule required
            username="%s" password="${KAFKA_PASSWORD}";
          ssl.truststore.type: PEM
          ssl.truststore.certificates: ${file:%s}
        flink.s3.secret-key: ${S3_SECRET}
        privacy.pseudonym-key: ${PSEUDONYM_KEY}
        """
        .formatted(
            JOB_NAME,
            uri("${MONGO_USER}", "${MONGO_PASSWORD}"),
            security.caFile(),
            stack.kafka(),
            GROUP,
            SecuredServers.KAFKA_USER,
            security.caFile());
  }

  private static Map<String, String> environment(String user, String password) {
    return Map.of(
        "MONGO_USER",
        user,
        "MONGO_PASSWORD",
        password,
        "KAFKA_PASSWORD",
        KAFKA_PASSWORD,
        "S3_SECRET",
        FLINK_SECRET,
        "PSEUDONYM_KEY",
        PSEUDONYM_KEY);
  }

  /** Otherwise it would fail at the first result that a late record refutes. */
  @Test
  void anAnalyticsJobWhoseUserMayNotRemoveResultsIsRefusedAndAQueryNamesTheMissingRight()
      throws Exception {
    Path config = Files.writeString(directory.resolve("analytics.yaml"), configuration());
    LastfixProcess operator =
        command(directory.resolve("analytics-home"), environment("job", JOB_PASSWORD));
    String[] located = {
      "--flink",
      stack.flinkUrl(),
      "--config",
      config.toString(),
      "--set",
      "located.topic=lastfix.located"
    };

    Result refused = run(operator, with(located, "submit", "analytics"));
    Result query = run(operator, "counts", "--config", config.toString());

    assertThat(refused.mustExitWith(1).err())
        .contains("does not let the job's user remove documents of lastfix.density_")
        .contains("lastfixAnalytics");
    assertThat(query.mustExitWith(1).err())
        .contains("MongoDB does not let the user of mongo.uri run aggregate on lastfix.counts_")
        .contains("lastfixReader")
        .doesNotContain("clusterTime");
  }

  @Test
  void theJobAndTheCommandsRunByFileAndEnvironmentAloneAndNoSecretIsLeftAnywhere()
      throws Exception {
    Path config = Files.writeString(directory.resolve("location.yaml"), configuration());
    Path home = directory.resolve("home");
    LastfixProcess operator = command(home, environment("job", JOB_PASSWORD));
    LastfixProcess analyst = command(home, environment("analyst", ANALYST_PASSWORD));
    String[] flinkAndConfig = {"--flink", stack.flinkUrl(), "--config", config.toString()};
    List<Result> results = new ArrayList<>();

    String arguments;
    String job;
    try (ProcessArguments watched = new ProcessArguments()) {
      results.add(
          run(operator, "catalog", "import", SAMPLE_CELLS.toString(), "--config", config.toString())
              .mustExitWith(0));
      Result submitted = run(operator, with(flinkAndConfig, "submit", "location", "--json"));
      results.add(submitted.mustExitWith(0));
      job = submitted.json().path("id").asText();
      results.add(push(operator, config));
      results.add(run(operator, with(flinkAndConfig, "drain")).mustExitWith(0));
      arguments = watched.seen();
    }
    MongoDatabase database = administrator.getDatabase("lastfix");
    String user =
        String.valueOf(database.getCollection("last_known_location").find().first().get("_id"));
    Result where =
        run(analyst, "where", user, "--pseudonym", "--json", "--config", config.toString());
    results.add(where.mustExitWith(0));
    assertThat(where.json().path("user").asText()).isEqualTo(user);
    assertThat(database.getCollection("last_known_location").countDocuments()).isEqualTo(USERS);
    assertThat(historyDocuments(database)).isEqualTo(RECORDS);

    Result audited = run(analyst, "audit", "--config", config.toString());
    results.add(audited.mustExitWith(0));
    assertThat(audited.err()).contains("grant it the role lastfixAudit, too");
    LastfixProcess auditor = command(home, environment("auditor", AUDIT_PASSWORD));
    Result kept = run(auditor, "audit", "--config", config.toString());
    results.add(kept.mustExitWith(0));
    assertThat(kept.err()).doesNotContain("will not show");
    assertThat(database.getCollection("audits").find(new Document("_id", JOB_NAME)).first())
        .containsEntry("history", (long) RECORDS)
        .containsEntry("discrepancies", 0L);
    results.add(
        run(analyst, "replay-rejected", "--dry-run", "--config", config.toString())
            .mustExitWith(0));
    LastfixProcess rebuilder = command(home, environment("rebuilder", REBUILD_PASSWORD));
    String[] rebuild = with(flinkAndConfig, "rebuild-lkl");
    String beside = "--set=last-known-location.collection=lkl_new";
    results.add(run(rebuilder, with(new String[] {beside}, rebuild)).mustExitWith(0));
    assertThat(database.getCollection("lkl_new").countDocuments()).isEqualTo(USERS);
    database.getCollection("last_known_location").deleteMany(new Document());
    results.add(run(rebuilder, rebuild).mustExitWith(0));
    assertThat(database.getCollection("last_known_location").countDocuments()).isEqualTo(USERS);

    String partition = takeAPosition(database);
    LastfixProcess relocator = command(home, environment("relocator", RELOCATE_PASSWORD));
    results.add(run(relocator, with(flinkAndConfig, "relocate")).mustExitWith(0));
    assertThat(
            database
                .getCollection(partition)
                .countDocuments(new Document("located", new Document("$exists", true))))
        .isEqualTo(1);

    LastfixProcess forgetter = command(home, environment("forgetter", FORGET_PASSWORD));
    results.add(
        run(forgetter, with(flinkAndConfig, "forget", user, "--pseudonym", "--yes"))
            .mustExitWith(0));
    assertThat(database.getCollection("last_known_location").countDocuments()).isEqualTo(USERS - 1);
    results.add(
        run(forgetter, "pseudonym", "somebody", "--config", config.toString()).mustExitWith(0));

    Result status = run(operator, with(flinkAndConfig, "status", "--json"));
    results.add(status.mustExitWith(0));
    assertThat(status.json().path("healthy").asBoolean()).isTrue();
    // Servers of one's own: up checks them, and starts nothing.
    Map<String, String> addresses = new HashMap<>(environment("job", JOB_PASSWORD));
    addresses.put("LASTFIX_MONGO_URI", uri("job", JOB_PASSWORD));
    addresses.put("LASTFIX_KAFKA", stack.kafka());
    results.add(run(command(home, addresses), with(flinkAndConfig, "up")).mustExitWith(0));
    results.add(run(operator, "down").mustExitWith(0));
    Result refused =
        run(
            command(home, environment("analyst", WRONG_PASSWORD)),
            "where",
            user,
            "--config",
            config.toString());
    results.add(refused.mustExitWith(1));
    assertThat(refused.err()).contains("refuses the user or the password of mongo.uri");
    // Picocli repeats the option that it does not know.
    Result misspelled =
        run(operator, "where", user, "--mongo-url=mongodb://job:" + JOB_PASSWORD + "@db");
    results.add(misspelled.mustExitWith(2));

    String failure = failFor(job, operator, config);

    Map<String, String> places = new LinkedHashMap<>();
    assertMarked(places, "arguments of all processes", arguments, "CliFrontend\"\n\"run\"");
    assertMarked(places, "cli.log", read(home.resolve("logs/cli.log")), "lastfix where failed");
    assertMarked(places, "stack.json", read(home.resolve("stack.json")), "endpoints");
    assertThat(home.resolve("flink-client")).as("what flink run wrote").isEmptyDirectory();
    assertMarked(places, "what is remembered", everythingUnder(home.resolve("jobs")), JOB_NAME);
    assertMarked(places, "output of the commands", results.toString(), JOB_NAME);
    assertMarked(places, "failure of the job", failure, "lastfix");
    ServerProcess jobManager = stack.cluster().processes().get(0);
    assertMarked(places, "JobManager's log", read(jobManager.logFile()), JOB_NAME);
    for (ServerProcess taskManager : stack.cluster().taskManagerProcesses()) {
      assertMarked(places, "TaskManager's log", read(taskManager.logFile()), "group.id = " + GROUP);
    }
    Map.of(
            "jobs/%s/config",
            JOB_NAME,
            "jobs/%s/plan",
            "read locations",
            "jobs/%s/exceptions",
            "exceptionHistory",
            "jobs/%s/jobmanager/config",
            "jobmanager.rpc.address",
            "jobs/%s",
            JOB_NAME,
            "jobmanager/config",
            "jobmanager.rpc.address")
        .forEach((path, marker) -> assertMarked(places, path, page(path.formatted(job)), marker));
    assertMarked(places, "checkpoints", checkpoints(), "lastfix.location.json");

    places.forEach(
        (place, text) ->
            assertThat(SECRETS.stream().filter(text::contains).toList()).as(place).isEmpty());
  }

  /** A place where a secret would be found: what must be there, is. */
  private static void assertMarked(
      Map<String, String> places, String place, String text, String marker) {
    assertThat(text.contains(marker)).as("%s holds %s", place, marker).isTrue();
    places.put(place, text);
  }

  private static Result push(LastfixProcess command, Path config) throws Exception {
    return run(
            command,
            "push",
            "--format",
            "json",
            "--count",
            Integer.toString(RECORDS),
            "--users",
            Integer.toString(USERS),
            "--cells",
            SAMPLE_CELLS.toString(),
            "--config",
            config.toString())
        .mustExitWith(0);
  }

  /** Takes the job's role away, and gives it something to store. */
  private static String failFor(String job, LastfixProcess operator, Path config) throws Exception {
    changeTheJobsRole("revokeRolesFromUser");
    try {
      push(operator, config);
      FlinkRest flink = stack.flink();
      await("the job fails").atMost(LIMIT).until(() -> flink.failureOf(job).isPresent());
      return flink.failureOf(job).orElseThrow();
    } finally {
      changeTheJobsRole("grantRolesToUser");
      end(job);
    }
  }

  private static void changeTheJobsRole(String command) {
    administrator
        .getDatabase("admin")
        .runCommand(
            new Document(command, "job")
                .append(
                    "roles", List.of(new Document("role", "lastfixJob").append("db", "lastfix"))));
  }

  private static long historyDocuments(MongoDatabase database) {
    long documents = 0;
    for (String name : database.listCollectionNames()) {
      documents += name.startsWith("history_") ? database.getCollection(name).countDocuments() : 0;
    }
    return documents;
  }

  private static String[] with(String[] last, String... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray(String[]::new);
  }

  private static LastfixProcess command(Path home, Map<String, String> environment)
      throws IOException {
    return new LastfixProcess(
        home, Files.createDirectories(directory.resolve("output")), environment);
  }

  private static Result run(LastfixProcess command, String... arguments) throws Exception {
    return command.run(LIMIT, arguments);
  }

  private static String read(Path file) throws IOException {
    return Files.readString(file, ISO_8859_1);
  }

  private static String everythingUnder(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(read(file));
      }
    }
    return all.toString();
  }

  private static String page(String path) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(stack.flinkUrl() + "/" + path)).build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static String checkpoints() throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory.resolve("stack"))) {
      for (Path file :
          files
              .filter(path -> path.toString().contains("/checkpoints/"))
              .filter(Files::isRegularFile)
              .toList()) {
        all.append(read(file));
      }
    }
    return all.toString();
  }

  /**
   * Something that is wrong.
   *
   * @param change what is done to the configuration that works
   * @param environment passwords
   * @param says in the error, where %s is MongoDB's host and port
   */
  record Mistake(
      String name, UnaryOperator<String> change, Map<String, String> environment, String says) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Mistake> mistakes() {
    Map<String, String> right = environment("job", JOB_PASSWORD);
    return Stream.of(
        new Mistake(
            "wrong password for MongoDB",
            text -> text,
            environment("job", WRONG_PASSWORD),
            "MongoDB at 127.0.0.1:%s refuses the user or the password of mongo.uri"),
        new Mistake(
            "MongoDB's authority not named",
            text -> text.replaceAll("mongo.tls.ca-file.*", ""),
            right,
            "MongoDB at 127.0.0.1:%s cannot be connected to: its certificate is signed by an"
                + " authority that is not trusted here: name the authority's certificate in"
                + " mongo.tls.ca-file"),
        new Mistake(
            "MongoDB by a name that is not in its certificate",
            text -> text.replaceAll("@127.0.0.1", "@localhost"),
            right,
            "MongoDB at localhost:%s cannot be connected to: its certificate is for other hosts"),
        new Mistake(
            "a key in the place of its file's name",
            text -> text + "mongo.tls.certificate-key-file: ${file:%s}\n".formatted(keyFile()),
            right,
            "mongo.tls.certificate-key-file: expected a file's name, found its content"),
        new Mistake(
            "MongoDB without a user",
            text -> text.replaceAll("//.*@", "//"),
            right,
            "MongoDB at 127.0.0.1:%s gives no access to database lastfix: name a user in"
                + " mongo.uri"),
        new Mistake(
            "wrong password for Kafka",
            text -> text.replace("${KAFKA_PASSWORD}", WRONG_PASSWORD),
            right,
            "check user, password and sasl.mechanism in kafka.properties (sasl.jaas.config)"),
        new Mistake(
            "Kafka's authority not named",
            text -> text.replaceAll("ssl.truststore.*", ""),
            right,
            "its certificate is signed by an authority that is not trusted here: name the authority's"
                + " certificate in kafka.properties (ssl.truststore.type: PEM,"),
        new Mistake(
            "Kafka by a name that is not in its certificate",
            text -> text.replace("servers: 127.0.0.1", "servers: localhost"),
            right,
            "its certificate is for other hosts"),
        new Mistake(
            "a password that JAAS cannot read",
            text -> text.replace("${KAFKA_PASSWORD}", "half\" " + WRONG_PASSWORD),
            right,
            "A Kafka client cannot be created with these kafka.properties: Value not specified for key"
                + " '…' in JAAS config"));
  }

  private static Path keyFile() {
    try {
      return Files.writeString(
          directory.resolve("key.pem"),
          "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n".formatted(KEY));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aServerThatAsksForTlsIsNamedWhereTheUriLacksIt() throws Exception {
    Path home = Files.createTempDirectory(directory, "plain");
    Path config =
        Files.writeString(
            home.resolve("location.yaml"),
            configuration().replace("&tls=true", "").replaceAll("mongo.tls.ca-file.*", ""));

    Result refused =
        run(
            command(home, environment("analyst", ANALYST_PASSWORD)),
            "where",
            "anybody",
            "--config",
            config.toString());

    assertThat(refused.mustExitWith(1).err())
        .contains("closes each connection: if it requires TLS, add tls=true to mongo.uri");
    assertNoSecret(refused.toString());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void whatIsWrongEndsTheSubmissionInOneErrorThatNamesTheRemedyAndNoSecret(Mistake mistake)
      throws Exception {
    Path home = Files.createTempDirectory(directory, "mistake");
    Path config =
        Files.writeString(home.resolve("location.yaml"), mistake.change().apply(configuration()));
    String port = stack.mongoUri().replaceAll(".*:(\\d+)/.*", "$1");

    assertThatThrownBy(
            () ->
                new FlinkRun(Installation.serverLibraries("flink"), home, stack.flinkUrl())
                    .submit(
                        Installation.jobJar(),
                        List.of("--config", config.toString()),
                        null,
                        mistake.environment()))
        .isInstanceOf(IOException.class)
        .message()
        .startsWith("the job was not submitted: ")
        .contains(mistake.says().replace("%s", port))
        .satisfies(SecurityIT::assertNoSecret);
    String output = everythingUnder(home.resolve("flink-client"));
    assertThat(output).as("what flink run wrote").contains("finished with the following exception");
    assertNoSecret(output);
    assertThat(stack.flink().jobs()).allSatisfy(job -> assertThat(job.isOver()).isTrue());
  }

  private static void assertNoSecret(String text) {
    assertThat(SECRETS.stream().filter(text::contains).toList()).isEmpty();
  }

  @Test
  void theRolesAllowWhatTheirNamesSayAndNothingElse() throws Exception {
    administrator
        .getDatabase("others")
        .getCollection("things")
        .insertOne(new Document("_id", "thing"));
    MongoDatabase target = administrator.getDatabase("lastfix");
    target.getCollection("role_test").insertOne(new Document("_id", "theirs"));
    try (MongoClient job = client("job", JOB_PASSWORD);
        MongoClient analyst = client("analyst", ANALYST_PASSWORD);
        MongoClient keeper = client("keeper", KEEPER_PASSWORD)) {
      MongoDatabase written = job.getDatabase("lastfix");
      written.getCollection("role_test").insertOne(new Document("_id", "ours"));
      assertForbidden(() -> written.getCollection("role_test").find().first());
      assertForbidden(() -> written.getCollection("role_test").deleteMany(new Document()));
      assertForbidden(() -> written.getCollection("role_test").drop());
      assertForbidden(() -> written.getCollection("role_test").dropIndexes());
      assertForbidden(written::drop);
      assertForbidden(
          () ->
              written.runCommand(
                  new Document("grantRolesToUser", "job").append("roles", List.of("dbOwner"))));
      assertForbidden(
          () -> job.getDatabase("others").getCollection("things").insertOne(new Document()));
      assertForbidden(() -> job.getDatabase("others").getCollection("things").find().first());

      changeViews(job, analyst);

      MongoDatabase kept = keeper.getDatabase("lastfix");
      assertForbidden(() -> kept.getCollection("role_test").find().first());
      assertForbidden(() -> kept.getCollection("role_test").deleteMany(new Document()));
      target.createCollection("role_expired");
      kept.getCollection("role_expired").drop();
      assertThat(target.listCollectionNames()).doesNotContain("role_expired");

      MongoDatabase read = analyst.getDatabase("lastfix");
      assertThat(read.getCollection("role_test").countDocuments()).isEqualTo(2);
      assertThat(read.listCollectionNames()).contains("role_test");
      assertForbidden(() -> read.getCollection("role_test").insertOne(new Document()));
      assertForbidden(() -> analyst.getDatabase("others").getCollection("things").find().first());
    } finally {
      target.getCollection("role_test").drop();
    }
  }

  /** The job keeps the view over History, which it cannot read, and no other. */
  private static void changeViews(MongoClient job, MongoClient analyst) throws Exception {
    MongoDatabase target = administrator.getDatabase("lastfix");
    Document before = target.listCollections().filter(new Document("name", "history")).first();
    MongoDatabase written = job.getDatabase("lastfix");
    HistoryPartitions partitions = new HistoryPartitions(job, "lastfix", TestHistory.MONTHS);
    target.createView("role_view", "role_test", List.of());
    try {
      // Made the first time, changed the second.
      for (String partition : List.of("history_1971_01", "history_1971_02")) {
        partitions.ensure(partition, ProvisionMode.AUTO);
        assertThat(partitions.refreshView()).as("what was done to the view").hasSize(1);
      }
      assertForbidden(() -> written.getCollection("history").find().first());
      assertForbidden(
          () ->
              written.runCommand(
                  new Document("collMod", "role_view")
                      .append("viewOn", "role_test")
                      .append("pipeline", List.of(new Document("$limit", 1)))));
      assertThat(analyst.getDatabase("lastfix").getCollection("history").countDocuments())
          .isEqualTo(historyDocuments(target));
    } finally {
      target.getCollection("role_view").drop();
      target.getCollection("history_1971_01").drop();
      target.getCollection("history_1971_02").drop();
      if (before == null) {
        target.getCollection("history").drop();
      }
    }
  }

  private static MongoClient client(String user, String password) throws IOException {
    return MongoClientFactory.connect(
        MongoOptions.defaults(uri(user, password), "lastfix")
            .withTls(new MongoTls(Files.readString(security.caFile()), null)),
        1);
  }

  private static String uri(String user, String password) {
    return "mongodb://%s:%s@%s&tls=true"
        .formatted(user, password, stack.mongoUri().substring("mongodb://".length()));
  }

  private static void assertForbidden(Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            MongoException.class, e -> assertThat(e.getCode()).as(e.toString()).isEqualTo(13));
  }
}
