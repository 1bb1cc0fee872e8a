package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.recipe.Recipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adds a format, an operator, a job and a key by {@code docs/extend}, and uses them as it says. */
class AddingTest {
  @TempDir private Path folder;

  @Test
  void aFormatIsReadByDefaultAndItsMessagesYieldWhatItsPageSays() throws Exception {
    try (Recipe recipe = new Recipe("A record format", folder)) {
      recipe.runTests("io.lastfix.parse.ProfileTablesTest");
      recipe.runTests("io.lastfix.parse.HostileInputTest", "gzipCutShortAtAnyPlaceIsMalformed");

      String generated = "io.lastfix.jobs.config.ConfigurationReferenceTest";
      assertThat(recipe.constant(generated, "YAML").toString())
          .containsPattern("\nprofiles\\.names: \\[[^]]*\\bbeacon, ");
      assertThat(recipe.constant(generated, "REFERENCE").toString())
          .containsPattern("`\\[[^]]*\\bbeacon, [^]]*]`");
      assertThat(recipe.files()).hasSizeLessThanOrEqualTo(4);
    }
  }

  @Test
  void anOperatorPassesItsTestAndTheJobs() throws Exception {
    try (Recipe recipe = new Recipe("An operator", folder)) {
      recipe.runTests("io.lastfix.order.OrderFunctionTest");
      recipe.runTests("io.lastfix.jobs.LocationJobTest", "theOrderOfRecordsIsObserved");

      assertThat(recipe.files()).hasSizeLessThanOrEqualTo(6);
    }
  }

  @Test
  void anOperatorsMetricsAreThoseOfItsPage() throws Exception {
    try (Recipe recipe = new Recipe("An operator", folder)) {
      String source = "operators/src/main/java/io/lastfix/order/OrderFunction.java";
      String page = "docs/reference/metrics.md";
      TreeSet<String> expected =
          new TreeSet<>(ReferencePagesTest.rows(Files.readString(Path.of("..", page))));
      expected.addAll(ReferencePagesTest.metricsOf(recipe.text(source), Path.of(source)));

      assertThat(ReferencePagesTest.rows(recipe.text(page)))
          .isEqualTo(expected)
          .contains("outOfOrder counter");
    }
  }

  @Test
  void aJobIsListedAndItsWorkflowRuns() throws Exception {
    try (Recipe recipe = new Recipe("A job", folder)) {
      recipe.runTests("io.lastfix.jobs.FarJobTest");

      assertThat(recipe.call(JobsListed.class.getName(), "streams").toString())
          .isEqualTo("[location, devices, analytics, rules, far]");
      // A test against real servers is one more, as is the page of a topic of its own.
      assertThat(recipe.files()).hasSizeLessThanOrEqualTo(4);
    }
  }

  /** Loaded as the changed clone has it. */
  static final class JobsListed {
    private JobsListed() {}

    static Object streams() {
      return Jobs.of(Jobs.Kind.STREAM).stream().map(Jobs.Job::name).toList();
    }
  }

  @Test
  void aKeyHasItsEffectAndIsInTheGeneratedPages() throws Exception {
    try (Recipe recipe = new Recipe("A configuration key", folder)) {
      recipe.runTests("io.lastfix.jobs.RestartTest");

      String generated = "io.lastfix.jobs.config.ConfigurationReferenceTest";
      assertThat(recipe.constant(generated, "YAML").toString())
          .contains("\nrestart.reset-after: 1 h\n");
      assertThat(recipe.constant(generated, "REFERENCE").toString())
          .contains("`restart.reset-after`");
    }
  }
}
