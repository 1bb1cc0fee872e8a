package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.recipe.Recipe;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adds a route by {@code docs/extend/gateway-route.md}, and writes to it. */
class AddingTest {
  @TempDir private Path folder;

  @Test
  void aRouteTakesRecordsAndHasItsKeyAndItsRow() throws Exception {
    try (Recipe recipe = new Recipe("A REST route of the gateway", folder)) {
      recipe.runTests("io.lastfix.gateway.BuoysTest");

      assertThat(
              recipe.constant("io.lastfix.gateway.ConfigurationReferenceTest", "YAML").toString())
          .contains("\naccess.buoys: closed\n");
      recipe.runTests(AddedRoute.class.getName());
      assertThat(recipe.files()).hasSizeLessThanOrEqualTo(3);
    }
  }

  /** Runs in the changed clone only, where the route is. */
  static final class AddedRoute {
    @Test
    void thePageOfTheReferenceHasIt() throws IOException {
      RecordRoute buoys = GatewayKeys.RECORDS.get(GatewayKeys.RECORDS.size() - 1);

      assertThat(GatewayPageTest.row(buoys))
          .isEqualTo(
              "| `POST /buoys` | `access.buoys` | buoys, which are named by their modem"
                  + " | 204, empty |");
    }
  }
}
