package io.lastfix.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.linecorp.armeria.common.HttpStatus;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The description of the API has its routes and their parameters, and no others. With {@code
 * -Dlastfix.reference=write} it writes {@code docs/reference/console.md} from it.
 */
class OpenApiTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "console.md");

  private static final String HEAD =
      """
      # The console's HTTP API

      Every route below `/v1/`, as `GET /v1/openapi.json` describes it to programs.
      [export.md](../ask/export.md#the-http-api) has what holds for all of them, and what each
      problem means. A parameter in bold is required.

      `OpenApiTest` (module `console`) writes this page:

          mvn -pl console -am test -Dtest=OpenApiTest \\
              -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write
      """;

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
    return paths(document);
  }

  private static Set<String> paths(JsonNode document) {
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

  @Test
  void thePageOfTheApiHasTheProblemsOfTheCode() throws Exception {
    // That of a failure gets its name from its status.
    List<String> inCode = new ArrayList<>(List.of("500 `http-500`"));
    String page = Files.readString(Path.of("..", "docs", "ask", "export.md"));
    for (MatchResult problem :
        Pattern.compile("HttpStatus\\.(\\w+),\\s*\"([a-z0-9-]+)\"")
            .matcher(
                Files.readString(Path.of("src/main/java/io/lastfix/console/http/Problem.java")))
            .results()
            .toList()) {
      HttpStatus status = (HttpStatus) HttpStatus.class.getField(problem.group(1)).get(null);
      inCode.add("%s `%s`".formatted(status.code(), problem.group(2)));
    }

    assertThat(
            Pattern.compile("(?m)^\\| (\\d{3}) \\| (`[a-z0-9-]+`) \\|")
                .matcher(page)
                .results()
                .map(row -> row.group(1) + " " + row.group(2)))
        .containsExactlyInAnyOrderElementsOf(inCode);
    assertThat(page)
        .as("those of the server, for a request that reaches no route")
        .contains("| 400, 414, 431 | `http-400`, `http-414`, `http-431` |");
  }

  @Test
  void everySchemaThatItNamesIsInIt() {
    assertThat(document.findValuesAsText("$ref"))
        .contains("#/components/schemas/Sighting", "#/components/schemas/Numbers")
        .allSatisfy(name -> assertThat(document.at(name.substring(1)).isObject()).isTrue());
  }

  @Test
  void thePageOfTheReferenceIsWhatTheRoutesSay() throws IOException {
    String page = page(document);
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(PAGE, page);
    }

    assertThat(Files.readString(PAGE))
        .as("after a change of a route, write the page with -Dlastfix.reference=write")
        .isEqualTo(page);
  }

  /** Returns the page of the reference that a document makes. */
  static String page(JsonNode document) {
    StringBuilder page = new StringBuilder(HEAD);
    for (String path : paths(document)) {
      JsonNode route = document.path("paths").path(path).path("get");
      page.append("\n## `GET %s`\n\n%s.\n".formatted(path, route.path("summary").asText()));
      page.append(parameters(route.path("parameters")));
      List<String> problems = new ArrayList<>();
      route.path("responses").fieldNames().forEachRemaining(problems::add);
      problems.remove("200");
      Collections.sort(problems);
      page.append(
          "\nAnswer: %s Problems: %s.\n"
              .formatted(
                  route.path("responses").path("200").path("description").asText(),
                  String.join(", ", problems)));
    }
    return page.toString();
  }

  private static String parameters(JsonNode parameters) {
    StringBuilder table = new StringBuilder();
    for (JsonNode parameter : parameters) {
      if (table.isEmpty()) {
        table.append("\n| parameter | values | default | meaning |\n|---|---|---|---|\n");
      }
      String mark = parameter.path("required").asBoolean() ? "**" : "";
      String header = parameter.path("in").asText().equals("header") ? " (header)" : "";
      JsonNode schema = parameter.path("schema");
      String byDefault = schema.path("default").asText();
      table.append(
          "| %s`%s`%s%s | %s | %s | %s |\n"
              .formatted(
                  mark,
                  parameter.path("name").asText(),
                  mark,
                  header,
                  values(schema),
                  byDefault.isEmpty() ? "–" : "`" + byDefault + "`",
                  parameter.path("description").asText()));
    }
    return table.toString();
  }

  private static String values(JsonNode schema) {
    if (schema.has("enum")) {
      List<String> constants = new ArrayList<>();
      schema.path("enum").forEach(constant -> constants.add("`" + constant.asText() + "`"));
      return String.join(", ", constants);
    }
    return schema.has("minimum")
        ? "%s to %s".formatted(schema.path("minimum").asText(), schema.path("maximum").asText())
        : schema.path("format").asText(schema.path("type").asText());
  }
}
