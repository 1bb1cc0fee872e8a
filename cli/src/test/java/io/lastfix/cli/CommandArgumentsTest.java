package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.Pseudonyms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandArgumentsTest {
  /** For the shell, so that this JVM's own locale has no part in it. */
  private static final String USER_FOR_SHELL = "$(printf 'B\\303\\244r \\346\\235\\261')";

  private static final String USER = "B\u00e4r \u6771";

  @Test
  void theLastArgumentsOfTheProcessAreThoseOfTheCommand() {
    byte[] line = "java\0-cp\0lib/*\0Lastfix\0where\0\0B\u00e4r\0".getBytes(StandardCharsets.UTF_8);

    assertThat(CommandArguments.last(3, line)).containsExactly("where", "", "B\u00e4r");
    assertThat(CommandArguments.last(0, line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LC_ALL=C", "LC_ALL=C.UTF-8", "LC_ALL= LC_CTYPE= LANG="})
  void theUserIsTheSameInEachLocale(String locale, @TempDir Path directory) throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "0123456789abcdef");
    String expected = new Pseudonyms(new PseudonymKey("0123456789abcdef")).of(USER);
    String pseudonym =
        run(directory, locale, "pseudonym --set privacy.pseudonym-key='${file:" + key + "}' --");

    assertThat(pseudonym).isEqualTo(expected);
  }

  @Test
  void whatACommandPrintsIsUtf8InALocaleWithout(@TempDir Path directory) throws Exception {
    assertThat(run(directory, "LC_ALL=C", "at")).contains("in '" + USER + "'");
  }

  /** Runs a command with the user as its last argument; returns all that it prints. */
  private static String run(Path directory, String locale, String command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            "exec env %s \"$1\" -XX:TieredStopAtLevel=1 -cp \"$2\" io.lastfix.cli.Lastfix %s \"%s\""
                .formatted(locale, command, USER_FOR_SHELL),
            "lastfix",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"));
    builder.environment().put("LASTFIX_HOME", directory.toString());
    List.of("LC_ALL", "LC_CTYPE", "LANG", "JAVA_TOOL_OPTIONS")
        .forEach(builder.environment()::remove);
    Process process = builder.redirectErrorStream(true).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed.strip();
  }
}
