package io.lastfix.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.recipe.Recipe;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Adds a route by {@code docs/extend/console-route.md}, and asks it. */
class AddingTest {
  @TempDir private Path folder;

  @Test
  void aRouteAnswersAndIsCheckedCountedAndDescribed() throws Exception {
    try (Recipe recipe = new Recipe("A REST route of the console", folder)) {
      recipe.runTests("io.lastfix.console.SilenceTest");
      recipe.runTests(AddedRoute.class.getName());

      assertThat(recipe.files()).hasSizeLessThanOrEqualTo(3);
    }
  }

  /** Runs in the changed clone only, where the route is. */
  static final class AddedRoute {
    private static final String TOKEN = "a-token-of-24-characters";
    private static final String[] AUTHORIZED = {"Authorization", "Bearer " + TOKEN};

    @Test
    void whoMayAskIsChecked() {
      try (TestConsole console = TestConsole.start(TOKEN)) {
        String path = "/v1/silence/" + FakeStore.USER;

        assertThat(console.get(path).statusCode()).isEqualTo(401);
        assertThat(console.get(path, AUTHORIZED).statusCode()).isEqualTo(200);
      }
    }

    @Test
    void itsParametersAreChecked() {
      try (TestConsole console = TestConsole.start()) {
        HttpResponse<String> unknown = console.get("/v1/silence/x?nothing=1");
        HttpResponse<String> wrong = console.get("/v1/silence/" + FakeStore.USER + "?allowed=x");

        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(TestConsole.json(unknown).path("detail").asText())
            .isEqualTo("unknown parameter; expected allowed");
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(TestConsole.json(wrong).path("detail").asText()).startsWith("allowed: expected");
      }
    }

    @Test
    void itsAnswersAreCounted() {
      try (TestConsole console = TestConsole.start()) {
        assertThat(console.get("/v1/silence/nobody").statusCode()).isEqualTo(404);

        String count = "lastfix_console_request_seconds_count{class=\"api\",status=\"404\"}";
        // The clock of an answer stops after its client has it.
        await().untilAsserted(() -> assertThat(console.get("/metrics").body()).contains(count));
      }
    }

    @Test
    void theDocumentAndThePageOfTheReferenceHaveIt() {
      try (TestConsole console = TestConsole.start()) {
        JsonNode document = TestConsole.json(console.get("/v1/openapi.json"));
        JsonNode route = document.path("paths").path("/v1/silence/{user}").path("get");

        assertThat(route.path("summary").asText())
            .isEqualTo("For how long a device has been silent");
        assertThat(route.path("parameters").findValuesAsText("name"))
            .containsExactly("user", "allowed");
        assertThat(route.path("responses").fieldNames())
            .toIterable()
            .containsExactlyInAnyOrder("200", "400", "401", "403", "404", "421", "503", "504");
        assertThat(route.path("responses").findPath("late").path("type").asText())
            .isEqualTo("boolean");
        assertThat(OpenApiTest.page(document))
            .contains("| `allowed` | string | `10m` | How long a device may be silent. |");
      }
    }
  }
}
