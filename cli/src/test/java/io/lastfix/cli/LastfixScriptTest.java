package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The {@code lastfix} script in a built tree, and the archive's, with a substitute for java. */
class LastfixScriptTest {
  private static final String VERSION = "openjdk version \"17.0.1\"";

  private static final String TREE = "lastfix";
  private static final String ARCHIVE = "bin/lastfix";

  @TempDir private Path directory;

  private Path root;
  private Path archive;

  @BeforeEach
  void makeTree() throws IOException {
    root = Files.createDirectory(directory.resolve("a tree"));
    Files.copy(Path.of("../lastfix"), root.resolve(TREE));
    Files.createDirectory(root.resolve("bin"));
    Files.copy(Path.of("../dist/src/main/bin/lastfix"), root.resolve(ARCHIVE));
    for (String built :
        new String[] {
          "cli/target/lib",
          "local/servers/kafka/target/lib",
          "local/servers/flink/target/lib",
          "local/servers/notify/target/lib",
          "local/servers/console/target/lib"
        }) {
      Files.createDirectories(root.resolve(built));
    }
    Files.createFile(root.resolve("cli/target/lastfix-cli.jar"));
    Files.createFile(root.resolve("cli/target/built-by-lastfix"));
    archive = root.resolve("cli/target/lastfix.jsa");
    Path java = Files.createDirectories(directory.resolve("jdk/bin")).resolve("java");
    ShellScript.writeProgram(
        java,
        """
        #!/bin/sh
        if [ "$1" = -version ]; then
          echo 'Picked up _JAVA_OPTIONS: -Xmx1g' >&2
          echo '%s' >&2
        else
          echo "LC_ALL=${LC_ALL:-} umask=$(umask)"
          printf '%%s\\n' "$@"
        fi
        """
            .formatted(VERSION));
  }

  @Test
  void theArchiveOfThisJvmIsGivenToIt() throws Exception {
    makeArchiveOf(VERSION);

    assertThat(lastfix("status").lines()).contains("-XX:SharedArchiveFile=" + archive);
  }

  @Test
  void theArchiveOfAnotherJvmIsNot() throws Exception {
    makeArchiveOf("openjdk version \"21.0.1\"");

    assertThat(lastfix("status")).doesNotContain("SharedArchiveFile");
  }

  @Test
  void withoutAnArchiveNoneIsGiven() throws Exception {
    assertThat(lastfix("status")).doesNotContain("SharedArchiveFile");
  }

  @Test
  void whatTheUserTypedComesLastAndAsItIs() throws Exception {
    assertThat(lastfix("where", "a user").lines())
        .endsWith("io.lastfix.cli.Lastfix", "where", "a user");
  }

  @Test
  void aSecondCommandBuildsNothingAndOneAfterAChangeOfThePageBuildsAgain() throws Exception {
    Path page = Files.createDirectories(root.resolve("console/web/src")).resolve("main.ts");
    Files.createFile(page);
    Files.delete(root.resolve("cli/target/built-by-lastfix"));
    makeMaven("exit 0");

    assertThat(lastfix("version")).contains("built in");
    assertThat(lastfix("version")).doesNotContain("build");

    Files.setLastModifiedTime(page, FileTime.from(Instant.now().plusSeconds(5)));
    assertThat(lastfix("version")).contains("built in");
  }

  @Test
  void aBuildOfACloneLeavesOutTestsAndWhatTheUserDidNotNameYet() throws Exception {
    Files.delete(root.resolve("cli/target/built-by-lastfix"));
    makeMaven("echo \"$@\" > cli/target/arguments");

    lastfix("version");

    assertThat(root.resolve("cli/target/arguments"))
        .content()
        .contains("-Dlastfix.quick", "-pl cli -am package");
  }

  @Test
  void aPartThatACommandNeedsIsBuiltAloneAndStaysUpToDateAfterwards() throws Exception {
    makeMaven("echo \"$@\" > cli/target/arguments; mkdir -p local/servers/sql/target/lib");
    Path page = Files.createDirectories(root.resolve("console/web/src")).resolve("main.ts");
    Files.createFile(page);

    ShellScript.run(part());
    assertThat(root.resolve("cli/target/arguments"))
        .content()
        .contains("-pl local/servers/sql -am");

    Files.setLastModifiedTime(page, FileTime.from(Instant.now().plusSeconds(5)));
    lastfix("version");
    assertThat(root.resolve("cli/target/arguments"))
        .content()
        .contains("-pl cli,local/servers/sql -am");
  }

  @Test
  void whatMeasuresIsBuiltAtItsFirstUseAndOnTheClassPathOfThatCommandAlone() throws Exception {
    makeMaven("echo \"$@\" > cli/target/arguments; mkdir -p bench/target/lib");
    String measures = root.resolve("bench/target/lib") + "/*";

    assertThat(lastfix("bench", "--help")).contains(measures).doesNotContain("built in");
    assertThat(lastfix("bench", "floor")).contains(":" + measures + "\n", "built in");
    assertThat(root.resolve("cli/target/arguments")).content().contains("-pl bench -am package");
    assertThat(lastfix("bench", "floor")).contains(measures).doesNotContain("built in");
    assertThat(lastfix("status")).doesNotContain(measures);
  }

  @Test
  void aFailedBuildEndsTheCommandAndShowsTheEndOfItsLog() throws Exception {
    Files.delete(root.resolve("cli/target/built-by-lastfix"));
    makeMaven("echo 'COMPILATION ERROR'; exit 1");

    assertThat(ShellScript.run(script("version"), 1))
        .contains("COMPILATION ERROR", "lastfix: the build failed")
        .doesNotContain("io.lastfix.cli.Lastfix");
  }

  @Test
  void aPartWhoseBuildFailsIsBuiltAgainByTheNextCommandThatNeedsIt() throws Exception {
    makeMaven("mkdir -p local/servers/sql/target/lib; exit 1");

    ShellScript.run(part(), 1);

    assertThat(root.resolve("local/servers/sql/target")).isEmptyDirectory();
    assertThat(ShellScript.run(part(), 1)).contains("lastfix: the build failed");
  }

  @Test
  void soIsOneWhoseBuildIsEnded() throws Exception {
    // The script's process is the parent of the substitute, which it starts by exec.
    makeMaven("mkdir -p local/servers/sql/target/lib; kill -TERM $PPID; exec sleep 60");

    ShellScript.run(part(), 143);

    assertThat(root.resolve("local/servers/sql/target")).isEmptyDirectory();
  }

  /** A command has started the script, and restricts what it writes itself. */
  @Test
  void aBuildThatACommandStartsWritesAsTheUsersOtherBuildsDo() throws Exception {
    makeMaven("umask > cli/target/umask; mkdir -p local/servers/sql/target/lib");
    Path java = directory.resolve("jdk/bin/java");
    ShellScript.writeProgram(
        java,
        Files.readString(java)
            .replace(
                "echo \"LC_ALL",
                "LASTFIX_PART=local/servers/sql sh '%s'\n  echo \"LC_ALL"
                    .formatted(root.resolve(TREE))));

    ProcessBuilder script = script("status");
    List<String> command = new ArrayList<>(List.of("sh", "-c", "umask 027; exec \"$@\"", "sh"));
    command.addAll(script.command());
    String said = ShellScript.run(script.command(command));

    assertThat(root.resolve("cli/target/umask")).hasContent("0027");
    assertThat(said).contains("umask=0077");
  }

  /** A substitute for Maven, in the tree's root. */
  private void makeMaven(String commands) throws IOException {
    Path maven = Files.createDirectories(directory.resolve("maven")).resolve("mvn");
    ShellScript.writeProgram(maven, "#!/bin/sh\n" + commands + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {TREE, ARCHIVE})
  void inALocaleWithoutUtf8JavaGetsOneWithIt(String script) throws Exception {
    assertThat(run(script, Map.of(), "status")).contains("LC_ALL=C.UTF-8 ");
    assertThat(run(script, Map.of("LC_ALL", "C"), "status")).contains("LC_ALL=C.UTF-8 ");
    assertThat(run(script, Map.of("LANG", "absent.UTF-8"), "status")).contains("LC_ALL=C.UTF-8 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {TREE, ARCHIVE})
  void aLocaleOfUtf8Stays(String script) throws Exception {
    assertThat(run(script, Map.of("LANG", "C.utf8"), "status")).contains("LC_ALL= ");
  }

  @ParameterizedTest
  @ValueSource(strings = {TREE, ARCHIVE})
  void whatJavaWritesOnlyThisUserMayRead(String script) throws Exception {
    assertThat(run(script, Map.of(), "status")).contains("umask=0077");
  }

  private void makeArchiveOf(String version) throws IOException {
    Files.createFile(archive);
    Files.writeString(root.resolve("cli/target/lastfix.jsa.java"), version + "\n");
  }

  private String lastfix(String... arguments) throws IOException, InterruptedException {
    return ShellScript.run(script(arguments));
  }

  /** The script as a command starts it that needs Flink's SQL client. */
  private ProcessBuilder part() {
    ProcessBuilder part = script();
    part.environment().put("LASTFIX_PART", "local/servers/sql");
    return part;
  }

  private ProcessBuilder script(String... arguments) {
    return script(TREE, Map.of(), arguments);
  }

  private String run(String script, Map<String, String> locale, String... arguments)
      throws IOException, InterruptedException {
    return ShellScript.run(script(script, locale, arguments));
  }

  private ProcessBuilder script(String script, Map<String, String> locale, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder("sh", root.resolve(script).toString());
    builder.command().addAll(List.of(arguments));
    Map<String, String> environment = builder.environment();
    environment.put("JAVA_HOME", directory.resolve("jdk").toString());
    environment.put("PATH", directory.resolve("maven") + ":" + environment.get("PATH"));
    List.of("LC_ALL", "LC_CTYPE", "LANG").forEach(environment::remove);
    environment.remove("LASTFIX_UMASK");
    environment.putAll(locale);
    return builder;
  }
}
