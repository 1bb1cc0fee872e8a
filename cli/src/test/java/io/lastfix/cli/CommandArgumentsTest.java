package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandArgumentsTest {
  /** For the shell, so that this JVM's own locale has no part in it. */
  private static final String USER_FOR_SHELL = "$(printf 'B\\303\\244r \\346\\235\\261')";

  private static final String USER = "B\u00e4r \u6771";

  @Test
  void theLastArgumentsOfTheProcessAreThoseOfTheCommand() throws IOException {
    byte[] line = "java\0-cp\0lib/*\0Lastfix\0where\0\0B\u00e4r\0".getBytes(StandardCharsets.UTF_8);

    assertThat(CommandArguments.last(3, line)).containsExactly("where", "", "B\u00e4r");
    assertThat(CommandArguments.last(0, line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "ANSI_X3.4-1968"})
  void argumentsInAsciiNeedNoProc(String encoding) throws IOException {
    String[] arguments = {"where", "a~z", ""};

    assertThat(CommandArguments.asTyped(arguments, encoding, Path.of("/absent")))
        .isEqualTo(arguments);
  }

  @ParameterizedTest
  @CsvSource({"UTF-8, B\ufffdr", "ANSI_X3.4-1968, B??r", "ISO-8859-1, B\u00c3\u00a4r"})
  void whatTheJvmMayHaveReplacedIsNotTakenForWhatWasTyped(String encoding, String argument) {
    assertThatThrownBy(
            () ->
                CommandArguments.asTyped(
                    new String[] {"where", argument}, encoding, Path.of("/absent")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "cannot read the arguments from /absent (there is no such file): set LC_ALL to a locale"
                + " of UTF-8, such as C.UTF-8");
  }

  /** Of two such ids, which the JVM would make one, none is taken. */
  @ParameterizedTest
  @ValueSource(strings = {"LC_ALL=C", "LC_ALL=C.UTF-8"})
  void anArgumentThatIsNoUtf8IsRefusedInOneLine(String locale, @TempDir Path directory)
      throws Exception {
    Process process = start(directory, locale, "pseudonym", "$(printf 'jos\\351')");

    assertThat(process.getInputStream().readAllBytes())
        .asString(StandardCharsets.UTF_8)
        .isEqualToIgnoringNewLines(
            "lastfix: argument 2 of 2 is not UTF-8: write it in that encoding");
    assertThat(process.waitFor()).isEqualTo(2);
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

  @Test
  void numbersAreThoseOfTheDocumentationInAnyLocale(@TempDir Path directory) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Duser.language=de",
            "-Duser.country=DE",
            "-cp",
            System.getProperty("java.class.path"),
            NumberPrinter.class.getName());
    builder.environment().put("LASTFIX_HOME", directory.toString());

    Process process = builder.start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("1,000,000.5");
    process.waitFor();
  }

  /** Prints a number after a command, as the command would. */
  static final class NumberPrinter {
    private NumberPrinter() {}

    public static void main(String[] arguments) {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> System.out.println("%,.1f".formatted(1_000_000.5))));
      Lastfix.main(new String[] {"version"});
    }
  }

  /** Runs a command with the user as its last argument; returns all that it prints. */
  private static String run(Path directory, String locale, String command)
      throws IOException, InterruptedException {
    Process process = start(directory, locale, command, USER_FOR_SHELL);
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return printed.strip();
  }

  private static Process start(Path directory, String locale, String command, String user)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "sh",
            "-c",
            "exec env %s \"$1\" -XX:TieredStopAtLevel=1 -cp \"$2\" io.lastfix.cli.Lastfix %s \"%s\""
                .formatted(locale, command, user),
            "lastfix",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"));
    builder.environment().put("LASTFIX_HOME", directory.toString());
    List.of("LC_ALL", "LC_CTYPE", "LANG", "JAVA_TOOL_OPTIONS")
        .forEach(builder.environment()::remove);
    return builder.redirectErrorStream(true).start();
  }
}
