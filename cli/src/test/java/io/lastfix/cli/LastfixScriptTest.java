package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code lastfix} script in a built tree, with a substitute for java. */
class LastfixScriptTest {
  private static final String VERSION = "openjdk version \"17.0.1\"";

  @TempDir private Path directory;

  private Path root;
  private Path archive;

  @BeforeEach
  void makeTree() throws IOException {
    root = Files.createDirectory(directory.resolve("a tree"));
    Files.copy(Path.of("../lastfix"), root.resolve("lastfix"));
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

  private void makeArchiveOf(String version) throws IOException {
    Files.createFile(archive);
    Files.writeString(root.resolve("cli/target/lastfix.jsa.java"), version + "\n");
  }

  private String lastfix(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("sh", root.resolve("lastfix").toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
    return ShellScript.run(builder);
  }
}
