package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import io.lastfix.cli.common.LastfixCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The messages for the user and in the log if a command fails. */
class FailureTest {
  /** The file of log4j2.xml. */
  private static final Path LOG = Path.of(System.getProperty("lastfix.log", "target/cli.log"));

  private final StringWriter err = new StringWriter();
  private final CommandLine lastfix =
      Lastfix.commandLine().addSubcommand(new FailingCommand()).setErr(new PrintWriter(err, true));

  @Test
  void noPasswordIsPrintedOrLoggedNotEvenInAStackTrace() throws Exception {
    String marker = UUID.randomUUID().toString();

    int exitCode = lastfix.execute("fail", "--verbose", "--message", marker);

    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString())
        .contains(marker + ": password = ***", "Caused by: ", "mongodb://***@db", "\tat ")
        .doesNotContain("s3cret");
    assertThat(Files.readString(LOG))
        .contains("lastfix fail failed: ", marker, "mongodb://***@db")
        .doesNotContain("s3cret");
  }

  @Test
  void aMessageOfManyLinesKeepsThemAndOneOfFewIsOneLine() {
    lastfix.execute("fail", "--message", "a\nb\nc\nd");
    assertThat(err.toString().lines())
        .startsWith("lastfix fail: a", "  b", "  c")
        .anyMatch(line -> line.startsWith("  d: password"));

    err.getBuffer().setLength(0);
    lastfix.execute("fail", "--message", "a\nb");
    assertThat(err.toString().lines()).singleElement().asString().startsWith("lastfix fail: a; b");
  }

  @Test
  void ofAnUnknownOptionOnlyTheNameIsPrinted() {
    int exitCode = lastfix.execute("fail", "--pasword=s3cret", "--unknown", "s3cret");

    assertThat(exitCode).isEqualTo(2);
    assertThat(err.toString())
        .contains("lastfix fail: unknown option: --pasword, --unknown (see lastfix fail --help)")
        .doesNotContain("s3cret");
  }

  @Test
  void ifMongoDbIsLostTheMessageSaysWhatToDo() {
    lastfix.addSubcommand(new LosingCommand()).setErr(new PrintWriter(err, true));

    assertThat(lastfix.execute("lose")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("lastfix lose: MongoDB no longer answers: check that the server runs")
        .contains("Prematurely reached end of stream");
  }

  @Command(name = "lose")
  private static final class LosingCommand extends LastfixCommand {
    @Override
    public Integer call() {
      throw new MongoSocketReadException(
          "Prematurely reached end of stream", new ServerAddress("db.example"));
    }
  }

  @Command(name = "fail")
  private static final class FailingCommand extends LastfixCommand {
    @CommandLine.Option(names = "--message")
    private String message = "";

    @Override
    public Integer call() throws IOException {
      throw new IOException(
          message + ": password = s3cret", new IOException("mongodb://u:s3cret@db is away"));
    }
  }
}
