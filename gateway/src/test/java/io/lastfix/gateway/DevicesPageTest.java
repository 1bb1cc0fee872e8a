package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Runs the commands of pages in {@code docs/devices}, each of which is followed by what it prints.
 */
class DevicesPageTest {
  private static final Path PAGES = Path.of("..", "docs", "devices");
  private static final Pattern SNIPPET =
      Pattern.compile("(?s)```sh\\n(.*?)```\\n\\n```json\\n(.*?)```");

  @Test
  void eachCommandPrintsWhatThePageSays() throws Exception {
    assumeTrue(hasCurl(), "needs curl");
    assertThat(recordsOf("README.md", 4)).as("one is a heartbeat").isEqualTo(3);
    assertThat(recordsOf("http.md", 3)).as("one is refused").isEqualTo(2);
    assertThat(recordsOf("presence.md", 1)).as("a heartbeat").isZero();
  }

  /** Runs a page's commands, and returns the number of records that the gateway stored. */
  private static int recordsOf(String page, int commands) throws Exception {
    List<MatchResult> snippets =
        SNIPPET.matcher(Files.readString(PAGES.resolve(page))).results().toList();
    assertThat(snippets).as(page).hasSize(commands);
    RecordingSender sender = new RecordingSender();
    try (TestGateway gateway =
        TestGateway.start(sender, "access.c2=unsigned", "access.openschema=unsigned")) {
      for (MatchResult snippet : snippets) {
        assertThat(run(snippet.group(1), gateway.gateway().endpoint()).strip())
            .as(snippet.group(1))
            .isEqualTo(snippet.group(2).strip());
      }
    }
    return sender.records().size();
  }

  private static boolean hasCurl() throws InterruptedException {
    try {
      return new ProcessBuilder("curl", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static String run(String command, String endpoint) throws Exception {
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
    shell.environment().put("GATEWAY", endpoint);
    Process process = shell.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
