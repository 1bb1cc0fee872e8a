package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
          "stack/servers/kafka/target/lib",
          "stack/servers/flink/target/lib",
          "stack/servers/sql/target/lib",
          "stack/servers/gateway/target/lib",
          "stack/servers/hivemq/target/lib",
          "bench/microbenchmarks/target/lib"
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
    return run(TREE, Map.of(), arguments);
  }

  private String run(String script, Map<String, String> locale, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", root.resolve(script).toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    List.of("LC_ALL", "LC_CTYPE", "LANG").forEach(builder.environment()::remove);
    builder.environment().putAll(locale);
    return ShellScript.run(builder);
  }
}
