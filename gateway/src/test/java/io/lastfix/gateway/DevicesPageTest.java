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

/** Runs the commands of {@code docs/DEVICES.md}, each of which is followed by what it prints. */
class DevicesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "DEVICES.md");
  private static final Pattern SNIPPET =
      Pattern.compile("(?s)```sh\\n(.*?)```\\n\\n```json\\n(.*?)```");

  @Test
  void eachCommandPrintsWhatThePageSays() throws Exception {
    assumeTrue(hasCurl(), "needs curl");
    List<MatchResult> snippets = SNIPPET.matcher(Files.readString(PAGE)).results().toList();
    assertThat(snippets).hasSizeGreaterThanOrEqualTo(5);
    RecordingSender sender = new RecordingSender();
    try (TestGateway gateway =
        TestGateway.start(sender, "access.c2=unsigned", "access.openschema=unsigned")) {
      for (MatchResult snippet : snippets) {
        assertThat(run(snippet.group(1), gateway.gateway().endpoint()).strip())
            .as(snippet.group(1))
            .isEqualTo(snippet.group(2).strip());
      }
    }
    // Two are heartbeats, and one is refused.
    assertThat(sender.records()).hasSize(snippets.size() - 3);
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
