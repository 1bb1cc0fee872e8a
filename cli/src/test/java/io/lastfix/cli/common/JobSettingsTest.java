package io.lastfix.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.kit.config.ConfigurationException;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.access.Servers.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class JobSettingsTest {
  private static final String PASSWORD = "correct-horse";
  private static final String NAMED = "mongodb://user:" + PASSWORD + "@named:27017/";
  private static final String IN_FILE = "mongodb://file:27017/";
  private static final String SET = "mongodb://set:27017/";
  private static final Map<String, String> LOCAL_STACK =
      Map.of("mongodb", "mongodb://127.0.0.1:27017/", "kafka", "127.0.0.1:9092");

  private static final Servers NOTHING_NAMED =
      new Servers(EndpointOverrides.none(), LOCAL_STACK, Set.of());
  private static final Servers MONGO_NAMED =
      new Servers(
          new EndpointOverrides(Optional.of(NAMED), Optional.empty(), Optional.empty()),
          LOCAL_STACK,
          Set.of());
  private static final Servers NOTHING_AT_ALL =
      new Servers(EndpointOverrides.none(), Map.of(), Set.of());

  @TempDir private Path directory;

  private static JobSettings settings(String... arguments) {
    SettingsOptions options = new SettingsOptions();
    new CommandLine(CommandSpec.forAnnotatedObjectLenient(options)).parseArgs(arguments);
    return options.settings();
  }

  private String file(String... lines) throws Exception {
    return Files.write(directory.resolve("location.yaml"), List.of(lines)).toString();
  }

  @Test
  void aServerThatTheUserNamedCountsBeforeTheFile() throws Exception {
    JobSettings settings = settings("--config", file("mongo.uri: " + IN_FILE));

    assertThat(settings.load(MONGO_NAMED, Kind.MONGO).historyMongo().uri()).isEqualTo(NAMED);
  }

  @Test
  void whatIsSetCountsBeforeAServerThatTheUserNamed() throws Exception {
    JobSettings settings =
        settings("--config", file("mongo.uri: " + IN_FILE), "--set", "mongo.uri=" + SET);

    assertThat(settings.load(MONGO_NAMED, Kind.MONGO).historyMongo().uri()).isEqualTo(SET);
  }

  @Test
  void whatIsSetCountsBeforeTheFile() throws Exception {
    JobSettings settings =
        settings("--config", file("mongo.uri: " + IN_FILE), "--set", "mongo.uri=" + SET);

    assertThat(settings.load(NOTHING_NAMED, Kind.MONGO).historyMongo().uri()).isEqualTo(SET);
  }

  @Test
  void theFileCountsBeforeTheLocalStack() throws Exception {
    JobSettings settings = settings("--config", file("mongo.uri: " + IN_FILE));

    LocationJobConfig config = settings.load(NOTHING_NAMED, Kind.MONGO, Kind.KAFKA);

    assertThat(config.historyMongo().uri()).isEqualTo(IN_FILE);
    assertThat(config.kafka().bootstrapServers())
        .as("what the file does not name")
        .isEqualTo(LOCAL_STACK.get("kafka"));
  }

  @Test
  void whereNothingIsNamedTheLocalStackIsUsed() {
    assertThat(settings().load(NOTHING_NAMED, Kind.MONGO).historyMongo().uri())
        .isEqualTo(LOCAL_STACK.get("mongodb"));
  }

  @Test
  void aNeededServerThatNobodyNamesIsAFailureThatSaysHow() {
    assertThatThrownBy(() -> settings().load(NOTHING_AT_ALL, Kind.MONGO))
        .isInstanceOf(StackException.class)
        .hasMessageContainingAll("lastfix up", "--mongo-uri", "LASTFIX_MONGO_URI", "mongo.uri");
  }

  @Test
  void aServerThatIsNotNeededMayBeUnknown() {
    assertThat(settings().load(NOTHING_AT_ALL).name()).isEqualTo("lastfix-location");
  }

  @Test
  void aPasswordIsPassedInTheEnvironmentAndNeverAsAnArgument() {
    JobSettings settings = settings("--set", "job.parallelism=2");

    assertThat(settings.overrides(MONGO_NAMED))
        .contains("job.parallelism=2", "mongo.uri=${LASTFIX_JOB_MONGO}")
        .noneMatch(argument -> argument.contains(PASSWORD));
    assertThat(settings.environment(MONGO_NAMED)).containsEntry("LASTFIX_JOB_MONGO", NAMED);
  }

  @Test
  void whatTheJobGetsIsComparedWithItsAddressesAndValuesButNotWithTheLocalStacksPorts() {
    Servers movedStack =
        new Servers(
            EndpointOverrides.none(), Map.of("mongodb", SET, "kafka", "127.0.0.1:9"), Set.of());

    assertThat(settings("--set", "job.parallelism=2").effective(NOTHING_NAMED))
        .isEqualTo(settings("--set", "job.parallelism=2").effective(movedStack))
        .isNotEqualTo(settings("--set", "job.parallelism=3").effective(NOTHING_NAMED))
        .isNotEqualTo(settings("--set", "job.parallelism=2").effective(MONGO_NAMED));
    assertThat(settings().effective(MONGO_NAMED)).containsEntry("mongo.uri", NAMED);
  }

  @Test
  void anotherProgramAtAnAddressOfTheLocalStackGetsNothing() {
    Servers taken = new Servers(EndpointOverrides.none(), LOCAL_STACK, Set.of("kafka"));
    JobSettings settings = settings();

    assertThatThrownBy(() -> settings.load(taken, Kind.MONGO, Kind.KAFKA))
        .isInstanceOf(StackException.class)
        .hasMessage(
            "the local stack's kafka has ended, and another program answers at 127.0.0.1:9092: run lastfix down, then lastfix up, which chooses free ports");
    assertThat(settings.load(taken, Kind.MONGO).historyMongo().uri())
        .isEqualTo("mongodb://127.0.0.1:27017/");
    assertThat(
            settings("--set", "kafka.bootstrap-servers=own:9092")
                .load(taken, Kind.KAFKA)
                .kafka()
                .bootstrapServers())
        .isEqualTo("own:9092");
  }

  @Test
  void wrongKeysAreAllNamedAtOnce() {
    JobSettings settings = settings("--set", "no.such.key=1", "--set", "job.parallelism=none");

    assertThatThrownBy(() -> settings.load(NOTHING_NAMED, Kind.MONGO))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll("no.such.key", "job.parallelism");
  }

  @Test
  void onlyValuesThatCannotBeSecretAreShown() {
    JobSettings settings =
        settings(
            "--set", "profiles.names=json,own",
            "--set", "job.name=${NAME}",
            "--set", "mongo.uri=" + SET,
            "--set", "kafka.properties.sasl.jaas.config=" + PASSWORD,
            "--set", "flink.s3.secret-key=" + PASSWORD,
            "--set", "kafka.group-id=user:" + PASSWORD + "@host");

    assertThat(settings.shownValues())
        .isEqualTo(Map.of("profiles.names", "json,own", "job.name", "${NAME}"));
  }
}
