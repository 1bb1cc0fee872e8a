package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.recipe.Recipe;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adds a route by {@code docs/extend/gateway-route.md}, and writes to it. */
class AddingTest {
  @TempDir private Path folder;

  @Test
  void aRouteTakesRecordsAndHasItsKey() throws Exception {
    try (Recipe recipe = new Recipe("A REST route of the gateway", folder)) {
      recipe.runTests("io.lastfix.gateway.BuoysTest");

      assertThat(
              recipe
                  .constant("io.lastfix.gateway.config.ConfigurationReferenceTest", "YAML")
                  .toString())
          .contains("\naccess.buoys: closed\n");
      // Without a key of its own, one less.
      assertThat(recipe.files()).hasSizeLessThanOrEqualTo(4);
    }
  }
}
