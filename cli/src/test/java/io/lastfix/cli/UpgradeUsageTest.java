package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code upgrade} rejects before it connects to anything. */
class UpgradeUsageTest {
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }

  @Test
  void anImageIsRefusedWithTheCommandThatUpgradesIt() {
    assertThat(run("upgrade", "location", "--to", "registry.example/lastfix/lastfix-job:2"))
        .isEqualTo(1);

    assertThat(err.toString())
        .contains("helm upgrade RELEASE", "docs/operate/kubernetes-upgrade.md");
  }

  @Test
  void aJarThatIsMissingIsNamed() {
    assertThat(run("upgrade", "location", "--to", "missing.jar")).isEqualTo(1);

    assertThat(err.toString()).contains("missing.jar: there is no such file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--to=a.jar", "--dry-run"})
  void backIsForAnInterruptedUpgradeAlone(String other) {
    assertThat(run("upgrade", "location", "--back", other)).isEqualTo(2);

    assertThat(err.toString()).contains("--back excludes --to and --dry-run");
  }

  @ParameterizedTest
  @ValueSource(strings = {"job.name=other", "kafka.group-id=other"})
  void theNewJobKeepsItsNameAndGroup(String key) {
    assertThat(
            run(
                "upgrade",
                "location",
                "--mongo-uri=mongodb://localhost",
                "--kafka=localhost:1",
                "--set-new",
                key))
        .isEqualTo(2);

    assertThat(err.toString()).contains("--set-new must not change job.name or kafka.group-id");
  }
}
