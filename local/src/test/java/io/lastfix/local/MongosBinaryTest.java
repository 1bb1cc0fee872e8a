package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import io.lastfix.local.ShardedMongo.ShardingPrograms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MongosBinaryTest {
  private static final Path PROGRAM = Path.of("/somewhere/mongos");
  private static final MongoVersion SERVER = new MongoVersion(6, 0, 5);

  @TempDir private Path directory;

  @Test
  void theVersionIsReadFromWhatTheProgramPrints() {
    String printed = "mongos version v5.0.7\nBuild Info: {\n    \"version\": \"5.0.7\"\n}";

    assertThat(MongosBinary.versionIn(PROGRAM, printed)).isEqualTo(new MongoVersion(5, 0, 7));
  }

  @Test
  void aMongodIsNoMongos() {
    assertThatThrownBy(() -> MongosBinary.versionIn(PROGRAM, "db version v6.0.5"))
        .isInstanceOf(StackException.class)
        .hasMessage("/somewhere/mongos is no mongos: its --version shows no \"mongos version\"");
  }

  @ParameterizedTest
  @CsvSource({"6,0,9", "6,0,0", "5,0,7", "5,3,1"})
  void aRouterOfTheServersReleaseOrOfTheOneBeforeFits(int major, int minor, int patch) {
    MongoVersion router = new MongoVersion(major, minor, patch);

    assertThatCode(() -> MongosBinary.requireFits(PROGRAM, router, SERVER))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"7,0,0", "6,1,0", "4,4,29"})
  void aRouterThatIsNewerOrTwoReleasesOlderIsRefused(int major, int minor, int patch) {
    MongoVersion router = new MongoVersion(major, minor, patch);

    assertThatThrownBy(() -> MongosBinary.requireFits(PROGRAM, router, SERVER))
        .isInstanceOf(StackException.class)
        .hasMessage(
            "/somewhere/mongos is of version %s, which does not work with servers of 6.0.5; set"
                + " LASTFIX_MONGOS to one of 6.0 or of the release before",
            router);
  }

  @Test
  void theNamedProgramComesBeforeThePath() throws Exception {
    Path named = program("named", "5.0.7");
    Files.createDirectory(directory.resolve("bin"));
    Path onPath = program("bin/mongos", "6.0.5").getParent();

    assertThat(locate(Map.of("LASTFIX_MONGOS", named.toString(), "PATH", onPath.toString())))
        .isEqualTo(named);
    assertThat(locate(Map.of("PATH", onPath.toString()))).isEqualTo(onPath.resolve("mongos"));
  }

  @Test
  void aNamedProgramThatIsNotThereFailsInsteadOfFallingBack() {
    assertThatThrownBy(() -> locate(Map.of("LASTFIX_MONGOS", "/nowhere/mongos")))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("/nowhere/mongos does not start")
        .hasMessageEndingWith("set LASTFIX_MONGOS to one that does");
  }

  @Test
  void aNamedProgramThatDoesNotFitFailsInsteadOfFallingBack() throws Exception {
    String named = program("named", "4.4.1").toString();

    assertThatThrownBy(() -> locate(Map.of("LASTFIX_MONGOS", named)))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("4.4.1");
  }

  @Test
  void oneThatWasFetchedBeforeIsTakenFromTheCacheByTheServersVersion() throws Exception {
    Path cached = program("mongos-6.0.5", "6.0.5");

    assertThat(locate(Map.of("LASTFIX_CACHE", directory.toString()))).isEqualTo(cached);
  }

  @Test
  void serversThatAreNewerThanTheRouterHaveToBeCompatibleWithIt() {
    ShardingPrograms older =
        new ShardingPrograms(PROGRAM, SERVER, PROGRAM, new MongoVersion(5, 0, 7));
    ShardingPrograms same =
        new ShardingPrograms(PROGRAM, SERVER, PROGRAM, new MongoVersion(6, 0, 2));

    assertThat(older.neededFeatureCompatibilityVersion()).contains("5.0");
    assertThat(same.neededFeatureCompatibilityVersion()).isEmpty();
  }

  private static Path locate(Map<String, String> environment) {
    return new MongosBinary(environment, line -> {}).locate(SERVER);
  }

  private Path program(String name, String version) throws Exception {
    Path file = directory.resolve(name);
    Files.writeString(file, "#!/bin/sh\necho mongos version v" + version + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }
}
