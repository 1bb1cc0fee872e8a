package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.recipe.PageCommand;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands that the pages of queries, the tutorial and the README show. {@code DemoIT}
 * (integration-tests) runs them.
 */
class PageExamplesTest {
  static List<PageCommand> examples() throws IOException {
    List<PageCommand> examples =
        PageCommand.in("README.md", "docs/tutorial", "docs/ask").stream()
            // A variable of the shell.
            .filter(example -> !example.line().contains("$"))
            .toList();
    assertThat(examples).hasSizeGreaterThan(35);
    return examples;
  }

  @ParameterizedTest
  @MethodSource("examples")
  void isUnderstood(PageCommand example) {
    HelpPagesTest.assertUnderstood(example.arguments());
  }
}
