package io.lastfix.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The description of the API has its routes and their parameters, and no others. */
class OpenApiTest {
  private static TestConsole console;
  private static JsonNode document;

  @BeforeAll
  static void start() {
    console = TestConsole.start();
    document = TestConsole.json(console.get("/v1/openapi.json"));
  }

  @AfterAll
  static void stop() {
    console.close();
  }

  private static Set<String> documentedPaths() {
    Set<String> paths = new TreeSet<>();
    document.path("paths").fieldNames().forEachRemaining(paths::add);
    return paths;
  }

  @Test
  void itHasEveryRoute() {
    Set<String> served =
        console.apiPaths().stream()
            .map(path -> path.replaceAll(":([a-z]+)", "{$1}"))
            .collect(Collectors.toSet());

    assertThat(documentedPaths()).isEqualTo(new TreeSet<>(served));
  }

  /** A refusal of an unknown parameter names the known ones. */
  @Test
  void itHasEveryParameter() {
    for (String path : documentedPaths()) {
      if (path.endsWith(".json")) {
        continue;
      }
      Set<String> documented = new TreeSet<>();
      for (JsonNode parameter : document.path("paths").path(path).path("get").path("parameters")) {
        if (parameter.path("in").asText().equals("query")) {
          documented.add(parameter.path("name").asText());
        }
      }
      HttpResponse<String> refused = console.get(path.replace("{user}", "x") + "?nothing=1");

      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(TestConsole.json(refused).path("detail").asText())
          .as(path)
          .isEqualTo(
              "unknown parameter; expected "
                  + (documented.isEmpty() ? "none" : String.join(", ", documented)));
    }
  }

  @Test
  void everyProblemThatItNamesIsDescribed() {
    for (String path : documentedPaths()) {
      JsonNode responses = document.path("paths").path(path).path("get").path("responses");
      assertThat(responses.path("200").isMissingNode()).as(path).isFalse();
      assertThat(responses.path("400").path("$ref").asText())
          .isEqualTo("#/components/responses/Problem");
    }
  }
}
