package io.lastfix.jobs.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.kit.config.ConfigurationException;
import io.lastfix.kit.config.Key;
import io.lastfix.model.ShippedProfiles;
import io.lastfix.parse.DefaultLimits;
import io.lastfix.parse.UserRule;
import io.lastfix.presence.PresenceOptions;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.sink.BulkOptions;
import io.lastfix.sink.BulkOptionsBuilder;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.connect.TestAuthority;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.ProvisionMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocationJobConfigTest {
  private static final Path SHIPPED = Path.of("..", "config", "location.yaml");

  @TempDir private Path directory;

  @Test
  void withoutAFileEveryKeyHasItsDefault() {
    LocationJobConfig config = load(List.of());

    assertThat(config.name()).isEqualTo("lastfix-location");
    assertThat(config.parallelism()).isNull();
    assertThat(config.maxParallelism()).isEqualTo(720);
    assertThat(config.kafka())
        .isEqualTo(
            new KafkaOptions(
                "127.0.0.1:9092",
                "lastfix-location",
                "lastfix.location.",
                "lastfix.cells",
                "lastfix.rejected",
                true,
                4,
                (short) -1,
                Map.of()));
    assertThat(config.source().start()).isEqualTo(new SourceStart(SourceStart.Kind.COMMITTED, 0));
    assertThat(config.source().catalogTimeout())
        .as("with a checkpoint's interval")
        .isEqualTo(new CatalogTimeout(Duration.ofMinutes(10).plusSeconds(10), true));
    assertThat(config.profileNames()).isEqualTo(ShippedProfiles.names());
    assertThat(config.parse().timestampLimits().maxAhead()).isEqualTo(Duration.ofMinutes(5));
    assertThat(config.parse().timestampLimits().floor())
        .isEqualTo(Instant.parse("2000-01-01T00:00:00Z"));
    assertThat(config.history().period()).isEqualTo(PartitionPeriod.MONTH);
    assertThat(config.recovery().checkpointInterval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.flink()).isEmpty();
  }

  @Test
  void theOperatorsOwnDefaultsAreTheConfigurationsDefaults() {
    LocationJobConfig config = load(List.of());

    assertThat(config.parse().decoderLimits()).isEqualTo(DefaultLimits.DECODER);
    assertThat(config.parse().timestampLimits()).isEqualTo(DefaultLimits.TIMESTAMP);
    assertThat(config.locate()).isEqualTo(io.lastfix.locate.LocateOptions.defaults());
    BulkOptions bulks = new BulkOptionsBuilder().build();
    assertThat(config.historyBulks()).isEqualTo(bulks);
    assertThat(config.lastKnownLocationBulks()).isEqualTo(bulks.withMaxBulksInFlight(1));
    assertThat(config.history().withNumbers(List.of())).isEqualTo(TestHistory.MONTHS);
    assertThat(config.lastKnownLocation())
        .isEqualTo(new LastKnownLocationOptions("last_known_location", false, false, false));
    assertThat(config.devices().presence())
        .isEqualTo(
            new PresenceOptions(
                Duration.ofMinutes(10),
                Duration.ofSeconds(15),
                Duration.ofMinutes(5),
                Duration.ofDays(400),
                512 * 1024));
    assertThat(config.analytics().timeline()).isEqualTo(TimelineOptions.defaults());
  }

  @Test
  void theFileThatShipsIsWhatTheCodeDocuments() throws IOException {
    assertThat(Files.readString(SHIPPED))
        .as("after a change of a key, write the file with -Dlastfix.reference=write")
        .isEqualTo(ConfigurationReferenceTest.YAML);
  }

  @Test
  void theFileThatShipsIsTheDefaults() {
    LocationJobConfig shipped = LocationJobConfig.load(SHIPPED, List.of(), name -> null);

    assertThat(shipped).usingRecursiveComparison().isEqualTo(load(List.of()));
  }

  @Test
  void everyKeyHasAMeaning() {
    assertThat(LocationJobConfig.keys())
        .hasSizeGreaterThan(40)
        .allSatisfy(key -> assertThat(key.description()).as(key.name()).endsWith("."));
  }

  @Test
  void mapsAndDotsMeanTheSame() throws IOException {
    Path file =
        file(
            """
            kafka:
              group-id: nested
              cells-topic: cells
            history.period: DAY
            profiles:
              names: [json]
            """);

    LocationJobConfig config = LocationJobConfig.load(file, List.of(), name -> null);

    assertThat(config.kafka().groupId()).isEqualTo("nested");
    assertThat(config.kafka().cellsTopic()).isEqualTo("cells");
    assertThat(config.history().period()).isEqualTo(PartitionPeriod.DAY);
    assertThat(config.profileNames()).containsExactly("json");
  }

  @Test
  void setGoesOverTheFile() throws IOException {
    Path file = file("kafka.group-id: from-file\njob.parallelism: 2\n");

    LocationJobConfig config =
        LocationJobConfig.load(
            file, List.of("kafka.group-id=from-set", "profiles.names=json, mlp"), name -> null);

    assertThat(config.kafka().groupId()).isEqualTo("from-set");
    assertThat(config.parallelism()).isEqualTo(2);
    assertThat(config.profileNames()).containsExactly("json", "mlp");
  }

  @Test
  void everyKindOfStartIsRead() {
    assertThat(load(List.of("source.start=earliest")).source().start().kind())
        .isEqualTo(SourceStart.Kind.EARLIEST);
    assertThat(load(List.of("source.start=latest")).source().start().kind())
        .isEqualTo(SourceStart.Kind.LATEST);
    assertThat(
            load(List.of("source.start=2026-11-20T12:00:00Z")).source().start().timestampMillis())
        .isEqualTo(1_795_176_000_000L);
  }

  @Test
  void othersKeysGoThroughAsTheyAre() {
    LocationJobConfig config =
        load(
            List.of(
                "kafka.properties.security.protocol=SASL_SSL", "flink.state.backend.type=rocksdb"));

    assertThat(config.kafka().clientProperties())
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("bootstrap.servers", "127.0.0.1:9092");
    assertThat(config.flink()).containsExactly(Map.entry("state.backend.type", "rocksdb"));
  }

  @Test
  void secretsComeFromTheEnvironmentAndFromFiles() throws IOException {
    Path secret = Files.writeString(directory.resolve("password"), "s3cret\n");

    LocationJobConfig config =
        LocationJobConfig.load(
            null,
            List.of(
                "mongo.uri=${MONGO}",
                "kafka.properties.sasl.jaas.config=password=\"${file:" + secret + "}\";"),
            Map.of("MONGO", "mongodb://lastfix:hunter2@db.example:27017/")::get);

    assertThat(config.historyMongo().uri())
        .isEqualTo("mongodb://lastfix:hunter2@db.example:27017/");
    assertThat(config.kafka().properties())
        .containsEntry("sasl.jaas.config", "password=\"s3cret\";");
    assertThat(config.toString()).doesNotContain("hunter2").doesNotContain("s3cret");
  }

  @Test
  void everythingThatIsWrongIsNamedAtOnce() throws IOException {
    Path file =
        file(
            """
            kafka.group-id: a
            kafka.groupid: b
            locate.max-wait: soon
            parse.max-nesting-depth: 0
            history.period: YEAR
            mongo.uri: ${NOWHERE}
            """);

    ConfigurationException thrown =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                LocationJobConfig.load(
                    file,
                    List.of("source.start=yesterday", "profiles.names=arcanum,nokia", "nonsense"),
                    name -> null));

    assertThat(thrown.problems())
        .contains(
            "--set: expected key=value, found no '=' after a key",
            "location.yaml:2: kafka.groupid: unknown key",
            "location.yaml:3: locate.max-wait: expected a duration such as 200 ms, 5 s or 1 min,"
                + " found 'soon'",
            "location.yaml:4: parse.max-nesting-depth: expected 1 or more, found '0'",
            "location.yaml:5: history.period: expected MONTH, DAY or HOUR, found 'YEAR'",
            "location.yaml:6: mongo.uri: environment variable NOWHERE is not set",
            "--set: source.start: expected committed, earliest, latest or a time such as"
                + " 2026-11-20T12:00:00Z")
        .anySatisfy(problem -> assertThat(problem).contains("nokia"))
        .hasSize(8);
    assertThat(thrown).hasMessageStartingWith("The configuration has 8 problems:");
  }

  /** The job would read what it writes, or Kafka would drop what it must keep. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "devices.heartbeats-topic=lastfix.rejected",
        "devices.presence-topic=lastfix.heartbeats",
        "devices.presence-topic=lastfix.cells",
        "devices.usage-topic=lastfix.heartbeats",
        "devices.usage-topic=lastfix.presence",
        "devices.usage-topic=lastfix.location.json",
        "rules.topic=lastfix.devices",
        "rules.topic=lastfix.location.json",
        "rules.applied-topic=lastfix.rules",
        "rules.alerts-topic=lastfix.rules.applied",
        "rules.alerts-topic=lastfix.location.json"
      })
  void theTopicsOfTheDevicesJobAndOfRulesAreTheirOwn(String setting) {
    assertThatThrownBy(
            () ->
                LocationJobConfig.load(null, List.of("profiles.names=json", setting), name -> null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("topic: expected a topic that no other key names");
  }

  @Test
  void locatedRecordsArePublishedOnlyIfATopicIsNamed() {
    assertThat(load(List.of()).locatedTopic()).isNull();
    assertThat(load(List.of("located.topic=lastfix.located")).locatedTopic())
        .isEqualTo("lastfix.located");
  }

  @ParameterizedTest
  @CsvSource({
    "'', a text",
    "lastfix.cells, a topic that no other key names",
    "lastfix.rejected, a topic that no other key names",
    "lastfix.heartbeats, a topic that no other key names",
    "lastfix.presence, a topic that no other key names",
    "lastfix.devices, a topic that no other key names",
    "lastfix.location.json, a name that does not begin with kafka.location-topic-prefix",
    "lastfix.location.later, a name that does not begin with kafka.location-topic-prefix"
  })
  void theTopicOfLocatedRecordsIsItsOwn(String topic, String expected) {
    assertThatThrownBy(() -> load(List.of("located.topic=" + topic)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageEndingWith("located.topic: expected %s, found '%s'".formatted(expected, topic));
  }

  /** All problems are reported, also if two topics have one name. */
  @Test
  void theTopicOfLocatedRecordsIsCheckedBesideOtherProblems() {
    assertThatThrownBy(
            () ->
                load(
                    List.of("located.topic=lastfix.cells", "devices.presence-topic=lastfix.cells")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("located.topic: expected a topic that no other key names")
        .hasMessageContaining("devices.presence-topic: expected a topic that no other key names");
  }

  @ParameterizedTest
  @CsvSource({"1 d, 1", "400 d, 400", "36500 d, 36500"})
  void devicesAreForgottenAfterSomeDays(String text, long days) {
    assertThat(forgetAfter(text)).isEqualTo(Duration.ofDays(days));
  }

  @Test
  void devicesMayNeverBeForgotten() {
    assertThat(forgetAfter("never")).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"23 h", "36501 d", "soon", "99999999999999 d", "-1 d"})
  void aDeviceKeepsItsUsageOnTheDayOfItsLastSignOfLife(String text) {
    assertThatThrownBy(() -> forgetAfter(text))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "devices.forget-after: expected 1 d to 36500 d, or never, found '%s'".formatted(text));
  }

  @Test
  void howRulesAreJudgedIsRead() {
    RulesOptions rules =
        load(List.of(
                "rules.cell-radius-meters=250", "rules.forget-after=2 d", "history.period=DAY"))
            .rules();

    assertThat(rules.judge()).isEqualTo(new JudgeOptions(250, Duration.ofDays(2)));
    assertThat(rules.alerts().collectionAt(0)).isEqualTo("alerts_1970_01_01");
    assertThat(load(List.of()).rules().judge())
        .isEqualTo(new JudgeOptions(1_000, Duration.ofDays(30)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rules.cell-radius-meters | -1 | 0 to 100000",
        "rules.cell-radius-meters | 1 km | a whole number",
        "rules.forget-after | 59 min | 1 h to 400 d",
        "rules.forget-after | 401 d | 1 h to 400 d",
        "history.collection-prefix | alerts | another name than alerts, which the rules job uses",
        "analytics.counts-collection-prefix | alerts | another name than alerts, which the rules job uses"
      })
  void whatRulesCannotBeJudgedByIsRefused(String key, String value, String expected) {
    assertThatThrownBy(() -> load(List.of(key + "=" + value)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("%s: expected %s, found '%s'".formatted(key, expected, value));
  }

  private static @Nullable Duration forgetAfter(String text) {
    return LocationJobConfig.load(null, List.of("devices.forget-after=" + text), name -> null)
        .devices()
        .presence()
        .forgetAfter();
  }

  @Test
  void bracketsAroundTheNamesOfProfilesAreNamedAsTheProblem() {
    assertThatThrownBy(
            () -> LocationJobConfig.load(null, List.of("profiles.names=[json, mlp]"), name -> null))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("profiles.names: expected names of letters")
        .hasMessageContaining("without brackets");
  }

  @Test
  void aProblemShowsTheReferenceAndNotTheSecret() {
    assertThatThrownBy(
            () ->
                LocationJobConfig.load(
                    null,
                    List.of("sink.flush-interval=${SECRET}"),
                    Map.of("SECRET", "hunter2")::get))
        .hasMessageContaining("found '${SECRET}'")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void whatAnOptionsRecordWouldRefuseIsNamedByItsKeyAndWithoutTheSecret() {
    ConfigurationException thrown =
        catchThrowableOfType(
            ConfigurationException.class,
            () ->
                LocationJobConfig.load(
                    null,
                    List.of(
                        "mongo.database=${SECRET}",
                        "history.collection-prefix=a.b",
                        "last-known-location.collection=a b",
                        "locate.max-wait=100 d",
                        "mongo.write-concern=-3",
                        "sink.max-records-per-bulk=200000",
                        "sink.max-bytes-per-bulk=17 mb"),
                    Map.of("SECRET", "hunter2/x")::get));

    assertThat(thrown.problems())
        .extracting(problem -> problem.replaceFirst("--set: ([^:]+):.*", "$1"))
        .containsExactlyInAnyOrder(
            "mongo.database",
            "history.collection-prefix",
            "last-known-location.collection",
            "locate.max-wait",
            "mongo.write-concern",
            "sink.max-records-per-bulk",
            "sink.max-bytes-per-bulk");
    assertThat(thrown).hasMessageNotContaining("hunter2");
  }

  @Test
  void certificatesAreReadFromTheirFilesSoThatTheyTravelWithTheJob() throws Exception {
    TestAuthority authority = new TestAuthority(directory);
    String client = authority.issue("client", "EC", "dns:client.example").pem();
    Path ca = Files.writeString(directory.resolve("ca.pem"), authority.certificate());
    Path key = Files.writeString(directory.resolve("client.pem"), client);

    LocationJobConfig config =
        load(
            List.of(
                "mongo.uri=mongodb://db.example/?tls=true",
                "mongo.tls.ca-file=" + ca,
                "mongo.tls.certificate-key-file=" + key));

    assertThat(config.historyMongo().tls())
        .isEqualTo(new MongoTls(authority.certificate(), client));
    assertThat(config.toString()).doesNotContain("PRIVATE KEY");
  }

  @Test
  void certificatesThatCannotBeUsedAreNamed() throws Exception {
    String authority = new TestAuthority(directory).certificate();
    Path ca = Files.writeString(directory.resolve("ca.pem"), authority);
    Path nothing = Files.writeString(directory.resolve("empty.pem"), "s3cret");

    assertThatThrownBy(
            () ->
                load(
                    List.of(
                        "mongo.uri=mongodb://db.example/?tls=true",
                        "mongo.tls.ca-file=" + nothing,
                        "mongo.tls.certificate-key-file=" + directory.resolve("absent.pem"))))
        .hasMessageContaining(
            "--set: mongo.tls.ca-file: "
                + nothing
                + ": expected PEM text with at least one block -----BEGIN CERTIFICATE-----")
        .hasMessageContaining(
            "--set: mongo.tls.certificate-key-file: %s: cannot be read: there is no such file"
                .formatted(directory.resolve("absent.pem")))
        .hasMessageNotContaining("s3cret");
    assertThatThrownBy(
            () ->
                load(
                    List.of("mongo.uri=mongodb://u:s3cret@db.example/", "mongo.tls.ca-file=" + ca)))
        .hasMessageContaining("--set: mongo.uri: uri: certificates for TLS are given")
        .hasMessageContaining("add tls=true")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void aKeyInThePlaceOfItsFilesNameIsNotRepeated() throws Exception {
    String pem = new TestAuthority(directory).issue("client", "RSA", "dns:c.example").key();
    String base64 = pem.lines().filter(line -> !line.startsWith("-----")).collect(joining());
    Path key = Files.writeString(directory.resolve("key.pem"), pem);
    Path bare = Files.writeString(directory.resolve("key.base64"), base64);

    assertThatThrownBy(
            () ->
                load(
                    List.of(
                        "mongo.uri=mongodb://db.example/?tls=true",
                        "mongo.tls.ca-file=${file:%s}".formatted(bare),
                        "mongo.tls.certificate-key-file=${file:%s}".formatted(key))))
        .hasMessageContaining(
            "--set: mongo.tls.ca-file: ${file:%s}: cannot be read: ".formatted(bare))
        .hasMessageContaining(
            "--set: mongo.tls.certificate-key-file: expected a file's name, found its content")
        .hasMessageNotContaining(base64.substring(0, 20));
  }

  @Test
  void theListOfTheForgottenIsWhereLastKnownLocationIs() {
    LocationJobConfig config =
        load(
            List.of(
                "last-known-location.mongo-uri=mongodb://b.example/",
                "last-known-location.database=newest",
                "sink.retry.timeout=3 min",
                "forgotten.collection=erased",
                "forgotten.refresh-interval=1 s"));

    assertThat(config.erasureList())
        .isEqualTo(
            new ErasureListOptions(
                config.lastKnownLocationMongo(),
                "erased",
                Duration.ofSeconds(1),
                Duration.ofMinutes(3)));
    assertThat(config.erasureList().auditCollection()).isEqualTo("erased_audit");
    assertThatThrownBy(() -> load(List.of("forgotten.collection=last_known_location")))
        .hasMessageContaining(
            "--set: forgotten.collection: expected another name than last-known-location.collection");
  }

  @Test
  void aPseudonymKeyIsASecretOfSixteenBytes() throws IOException {
    Path secret = Files.writeString(directory.resolve("key"), "0123456789abcdef\n");

    LocationJobConfig config = load(List.of("privacy.pseudonym-key=${file:%s}".formatted(secret)));

    assertThat(config.pseudonymKey()).isEqualTo(new PseudonymKey("0123456789abcdef"));
    assertThat(config.toString()).doesNotContain("0123456789abcdef");
    assertThat(load(List.of()).pseudonymKey()).isNull();
    assertThatThrownBy(() -> load(List.of("privacy.pseudonym-key=too-short-s3cr")))
        .hasMessageContaining("--set: privacy.pseudonym-key: expected 16 bytes or more")
        .hasMessageNotContaining("s3cr");
  }

  @Test
  void lastKnownLocationIsWhereHistoryIsUnlessItIsSaidOtherwise() {
    LocationJobConfig together =
        load(List.of("mongo.uri=mongodb://a.example/", "mongo.database=fleet"));
    LocationJobConfig apart =
        load(
            List.of(
                "mongo.uri=mongodb://a.example/",
                "mongo.timeout=7 s",
                "last-known-location.mongo-uri=mongodb://b.example/",
                "last-known-location.database=newest"));

    assertThat(together.lastKnownLocationMongo()).isEqualTo(together.historyMongo());
    assertThat(together.lastKnownLocationMongo().database()).isEqualTo("fleet");
    assertThat(apart.historyMongo().uri()).isEqualTo("mongodb://a.example/");
    assertThat(apart.historyMongo().database()).isEqualTo("lastfix");
    assertThat(apart.lastKnownLocationMongo())
        .isEqualTo(apart.historyMongo().withUri("mongodb://b.example/").withDatabase("newest"));
  }

  @Test
  void howCollectionsAreProvisionedIsRead() throws IOException {
    LocationJobConfig config =
        LocationJobConfig.load(
            file(
                """
                # YAML 1.1 would take it for a boolean.
                provision: off
                history.shard-key: user
                history.cell-index: true
                last-known-location.position-index: true
                last-known-location.cell-index: true
                last-known-location.fix-index: true
                """),
            List.of(),
            name -> null);

    assertThat(config.provision()).isEqualTo(ProvisionMode.OFF);
    assertThat(config.history())
        .isEqualTo(
            TestHistory.of(PartitionPeriod.MONTH, HistoryShardKey.USER, true)
                .withNumbers(
                    List.of("counts", "density", "flows", "stays", "trips", "late", "alerts")));
    assertThat(config.lastKnownLocation())
        .isEqualTo(new LastKnownLocationOptions("last_known_location", true, true, true));
    assertThat(load(List.of()).provision()).isEqualTo(ProvisionMode.AUTO);
    assertThatThrownBy(() -> load(List.of("provision=yes", "history.shard-key=ts")))
        .hasMessageContaining("--set: provision: expected auto, check or off, found 'yes'")
        .hasMessageContaining("--set: history.shard-key: expected user-hashed or user, found 'ts'");
  }

  @Test
  void theNamesOfAClosedSetAreReadInEitherCase() {
    LocationJobConfig config =
        load(
            List.of(
                "source.on-gap=fail",
                "source.on-catalog-timeout=continue",
                "provision=Check",
                "history.period=hour",
                "history.shard-key=USER_HASHED",
                "history.on-other-period=continue"));

    assertThat(config.source().onGap()).isEqualTo(OnGap.FAIL);
    assertThat(config.source().catalogTimeout().failsJob()).isFalse();
    assertThat(config.provision()).isEqualTo(ProvisionMode.CHECK);
    assertThat(config.history().period()).isEqualTo(PartitionPeriod.HOUR);
    assertThat(config.history().shardKey()).isEqualTo(HistoryShardKey.USER_HASHED);
    assertThat(config.onOtherPeriod()).isEqualTo(OnOtherPeriod.CONTINUE);
    assertThat(load(List.of("history.shard-key=user_hashed")).history().shardKey())
        .isEqualTo(HistoryShardKey.USER_HASHED);
    assertThatThrownBy(() -> load(List.of("source.on-gap=stop", "source.on-catalog-timeout=off")))
        .hasMessageContaining("--set: source.on-gap: expected continue or fail, found 'stop'")
        .hasMessageContaining(
            "--set: source.on-catalog-timeout: expected fail or continue, found 'off'");
  }

  @Test
  void aDeviceThatSignsHasItsOwnRecordsOnlyByDefault() {
    assertThat(load(List.of()).parse().userRule("json")).isEqualTo(UserRule.PROVED);
  }

  @Test
  void usersAreCheckedInTheNamedProfilesOrInAll() {
    ParseOptions off = load(List.of("parse.check-users=off")).parse();
    ParseOptions all = load(List.of("parse.check-users=ALL")).parse();
    ParseOptions some =
        load(List.of("parse.check-users=proved", "parse.check-users-of=json, mlp")).parse();

    assertThat(off.userRule("json")).isEqualTo(UserRule.OFF);
    assertThat(all.userRule("json")).isEqualTo(UserRule.ALL);
    assertThat(some.userRule("json")).isEqualTo(UserRule.PROVED);
    assertThat(some.userRule("mlp")).isEqualTo(UserRule.PROVED);
    assertThat(some.userRule("arcanum")).isEqualTo(UserRule.OFF);
  }

  @Test
  void aProfileToCheckThatTheJobDoesNotReadIsNamedAsTheProblem() {
    assertThatThrownBy(() -> load(List.of("parse.check-users-of=json,jsno")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(
            "--set: parse.check-users-of: expected names that are in profiles.names, found"
                + " 'json,jsno'");
    assertThatThrownBy(() -> load(List.of("parse.check-users=some")))
        .hasMessageContaining("parse.check-users: expected off, proved or all, found 'some'");
  }

  @Test
  void howLongHistoryIsKeptReachesTheParserAndTheSink() {
    LocationJobConfig config =
        load(
            List.of(
                "history.retention=90 d",
                "history.period=DAY",
                "sink.retry.timeout=5 min",
                "locate.max-wait=32 min"));

    HistoryRetention retention =
        new HistoryRetention(
            PartitionPeriod.DAY, Duration.ofDays(90), Duration.ofMinutes(5 + 32 + 1 + 10));
    assertThat(config.history().retention()).isEqualTo(retention);
    assertThat(config.parse().timestampLimits().retention()).isEqualTo(retention);
    assertThat(load(List.of()).history().retention()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "MONTH, 30 d, 'expected one period or more (MONTH: 31 d), and 36525 d or less'",
    "DAY, 23 h, 'expected one period or more (DAY: 1 d), and 36525 d or less'",
    "HOUR, 0 s, 'expected one period or more (HOUR: 1 h), and 36525 d or less'",
    "HOUR, 99999999999999 d, expected",
    "DAY, P90D, expected a duration such as 90 d",
    "DAY, soon, expected a duration such as 90 d"
  })
  void aTimeThatHistoryCannotBeKeptIsNamed(String period, String retention, String says) {
    assertThatThrownBy(
            () -> load(List.of("history.period=" + period, "history.retention=" + retention)))
        .hasMessageContaining("--set: history.retention: " + says);
  }

  @Test
  void aTimeThatIsNoneIsAProblem() {
    assertThatThrownBy(() -> load(List.of("parse.min-timestamp=yesterday")))
        .hasMessageContaining(
            "--set: parse.min-timestamp: expected a time such as 2026-11-20T12:00:00Z");
  }

  @Test
  void theViewIsNamedForThePrefixUnlessItIsGivenAnotherNameOrNone() {
    assertThat(load(List.of("history.collection-prefix=track")).history().view())
        .isEqualTo("track");
    assertThat(load(List.of("history.view=everything")).history().view()).isEqualTo("everything");
    assertThat(load(List.of("history.view=")).history().view()).isEmpty();
    assertThatThrownBy(() -> load(List.of("history.view=a.b")))
        .hasMessageContaining("--set: history.view: expected up to 60 letters");
    assertThatThrownBy(() -> load(List.of("history.view=history_2026_11")))
        .hasMessageContaining("--set: history.view: expected a name that no partition can have");
    assertThatThrownBy(() -> load(List.of("history.view=last_known_location")))
        .hasMessageContaining(
            "--set: history.view: expected another name than last-known-location.collection");
    assertThat(
            load(List.of(
                    "history.view=newest",
                    "last-known-location.collection=newest",
                    "last-known-location.database=b"))
                .history()
                .view())
        .isEqualTo("newest");
  }

  @Test
  void whatIsWrongWithTheServerOfLastKnownLocationIsNamedWithoutTheSecret() {
    assertThatThrownBy(
            () ->
                load(
                    List.of(
                        "last-known-location.mongo-uri=db.example:s3cret",
                        "last-known-location.database=a/b")))
        .hasMessageContaining("--set: last-known-location.mongo-uri: uri: expected mongodb://")
        .hasMessageContaining(
            "--set: last-known-location.database: expected up to 60 letters, digits, '_' and '-',"
                + " found 'a/b'")
        .hasMessageNotContaining("s3cret");
    assertThatThrownBy(() -> load(List.of("last-known-location.mongo-uri=${NOWHERE}")))
        .hasMessageContaining(
            "last-known-location.mongo-uri: environment variable NOWHERE is not set");
  }

  @Test
  void aSecretBehindTheWrongKeyIsNotRepeated() {
    assertThatThrownBy(
            () ->
                load(
                    List.of(
                        "mongo.uri=",
                        "mongo.database=mongodb://u:s3cret@db.example/",
                        "mongo.timeout=required username=u Password=s3cret",
                        "locate.max-wait=soon")))
        .hasMessageContaining("mongo.uri: expected a text")
        .hasMessageContaining("mongo.database: expected up to 60 letters")
        .hasMessageContaining("mongo.timeout: expected a duration")
        .hasMessageContaining("found 'soon'")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void aTopicTheJobReadsCannotTakeWhatItRejects() {
    assertThatThrownBy(() -> load(List.of("kafka.rejected-topic=lastfix.location.json")))
        .hasMessageContaining(
            "--set: kafka.rejected-topic: expected a topic that the job does not read");
    assertThatThrownBy(() -> load(List.of("kafka.cells-topic=lastfix.location.json")))
        .hasMessageContaining(
            "--set: kafka.cells-topic: expected a topic other than the location topics");
  }

  @Test
  void boundsThatContradictEachOtherAreNamed() {
    assertThatThrownBy(
            () ->
                load(
                    List.of(
                        "sink.max-buffered-records=10",
                        "sink.max-buffered-bytes=64 kb",
                        "sink.retry.max-backoff=1 ms",
                        "restart.max-backoff=1 ms",
                        "job.parallelism=1000")))
        .hasMessageContaining(
            "--set: sink.max-buffered-records: expected at least sink.max-records-per-bulk, found"
                + " '10'")
        .hasMessageContaining(
            "--set: sink.max-buffered-bytes: expected at least sink.max-bytes-per-bulk")
        .hasMessageContaining(
            "--set: sink.retry.max-backoff: expected at least sink.retry.initial-backoff")
        .hasMessageContaining(
            "--set: restart.max-backoff: expected at least restart.initial-backoff")
        .hasMessageContaining("--set: job.parallelism: expected at most job.max-parallelism");
  }

  @Test
  void textThatIsNotYamlIsNamedWithItsLine() throws IOException {
    Path file = file("kafka.group-id: a\n  oops: [\n");

    assertThatThrownBy(() -> LocationJobConfig.load(file, List.of(), name -> null))
        .hasMessageContaining("location.yaml:2: not YAML");
  }

  @Test
  void aKeyGivenTwiceIsNamed() throws IOException {
    Path file = file("kafka.group-id: a\nkafka:\n  group-id: b\n");

    assertThatThrownBy(() -> LocationJobConfig.load(file, List.of(), name -> null))
        .hasMessageContaining(
            "location.yaml:3: kafka.group-id: given twice, first at location.yaml:1");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () -> LocationJobConfig.load(directory.resolve("absent.yaml"), List.of(), name -> null))
        .hasMessageContaining("absent.yaml: cannot be read: there is no such file");
  }

  @Test
  void everyKeyIsReadFromTheFile() throws IOException {
    // Every key given a value of the wrong kind has to be complained about: a key nobody reads
    // would not be.
    List<Key<?>> typed =
        LocationJobConfig.keys().stream()
            .filter(key -> key.defaultText() != null)
            .filter(key -> !Set.of("text", "list").contains(key.unit()))
            .toList();
    StringBuilder yaml = new StringBuilder();
    typed.forEach(key -> yaml.append(key.name()).append(": wrong\n"));
    Path file = file(yaml.toString());

    ConfigurationException thrown =
        catchThrowableOfType(
            ConfigurationException.class,
            () -> LocationJobConfig.load(file, List.of(), name -> null));

    assertThat(typed)
        .allSatisfy(
            key ->
                assertThat(thrown.problems())
                    .anySatisfy(problem -> assertThat(problem).contains(key.name() + ":")));
  }

  private static LocationJobConfig load(List<String> overrides) {
    return LocationJobConfig.load(null, overrides, name -> null);
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(directory.resolve("location.yaml"), yaml);
  }

  @Test
  void theCollectionOfDevicesIsNeitherHistorysViewNorAPartition() {
    for (String taken : List.of("history", "history_2026_11", "history_2026_11_20")) {
      assertThatThrownBy(() -> load(List.of("devices.collection=" + taken)))
          .hasMessageContaining(
              "devices.collection: expected another name than History's view and partitions"
                  + " (history.view, history.collection-prefix), found '"
                  + taken
                  + "'");
    }
    assertThat(
            load(List.of(
                    "devices.collection=history",
                    "last-known-location.mongo-uri=mongodb://other:27017/"))
                .devices())
        .as("in another database")
        .isNotNull();
  }
}
