package io.lastfix.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.recipe.Recipe;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adds a command by {@code docs/extend/command.md}, and uses it as it says. */
class AddingTest {
  @TempDir private Path folder;

  @Test
  void aCommandRunsAndIsInTheHelpAndTheReference() throws Exception {
    try (Recipe recipe = new Recipe("A command", folder)) {
      recipe.runTests("io.lastfix.cli.partitions.PeriodCommandTest");

      String description = "Prints the collection of History that has the records of a time.";
      assertThat(recipe.call(CommandReferenceTest.class.getName(), "render").toString())
          .containsSubsequence(
              "## lastfix\n", "[period](#lastfix-period)", "## lastfix period\n", description);
      assertThat(recipe.files()).hasSizeLessThanOrEqualTo(3);
    }
  }
}
