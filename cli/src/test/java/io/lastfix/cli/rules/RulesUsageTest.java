package io.lastfix.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.Lastfix;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of {@code rule} and {@code fence} before they query any server. */
class RulesUsageTest {
  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Lastfix.commandLine().setErr(new PrintWriter(err, true)).execute(arguments);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rule         | rule              | Missing required subcommand",
        "rule put     | rule put          | Missing required parameter: 'FILE'",
        "rule show    | rule show         | Missing required parameter: 'RULE'",
        "fence put    | fence put a       | Missing required parameter: 'FILE'",
        "fence put    | fence put A b     | id: expected 1 to 64 of a-z, 0-9 and dashes",
        "fence delete | fence delete      | Missing required parameter: 'FENCE'"
      })
  void whatCannotBeMeantIsRefusedInOneLine(String command, String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString().strip())
        .isEqualTo("lastfix %s: %s (see lastfix %s --help)".formatted(command, message, command));
  }

  @Test
  void anInvalidRuleIsNamedWithItsPlace() throws IOException {
    Path file =
        file(
            "fast.yaml",
            """
            id: fast
            when: {expr: speeed > 33}
            """);

    assertThat(run("rule", "put", file.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("lastfix rule put: %s:2:14: undeclared reference to 'speeed'".formatted(file));
  }

  @Test
  void anInvalidFenceIsNamedWithItsPlace() throws IOException {
    Path file = file("a.geojson", "{\"type\":\"Point\",\n\"coordinates\":[200,0]}");

    assertThat(run("fence", "put", "a", file.toString(), "--radius", "50")).isEqualTo(1);
    assertThat(err.toString().strip())
        .isEqualTo(
            "lastfix fence put: %s:2:15: lon: expected -180 to 180, found 200.0".formatted(file));
  }

  @Test
  void aFileThatDoesNotExistIsNamed() {
    for (List<String> command :
        List.of(List.of("rule", "put", "nowhere"), List.of("fence", "put", "a", "nowhere"))) {
      assertThat(run(command.toArray(String[]::new))).isEqualTo(1);
    }
    assertThat(err.toString()).contains("nowhere: ");
  }
}
