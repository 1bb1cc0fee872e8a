package io.lastfix.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.file.HttpFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/**
 * The document of the API: the parts of all routes, put into what they share, which {@code
 * openapi.json} has.
 */
public final class OpenApi {
  private static final String FOLDER = "/io/lastfix/console/";

  /** Reads JSON, too. */
  private static final YAMLMapper YAML = new YAMLMapper();

  private OpenApi() {}

  /** Serves the document of these routes. */
  public static HttpService of(List<Route> routes) {
    JsonNode document = yaml(file("openapi.json"));
    ObjectNode paths = (ObjectNode) document.path("paths");
    routes.forEach(route -> paths.putObject(route.path()).set("get", route.operation()));
    return HttpFile.builder(HttpData.ofUtf8(document.toPrettyString()))
        .contentType(MediaType.JSON)
        .build()
        .asService();
  }

  /** Returns a part of the document that is longer than a class should be. */
  public static String file(String name) {
    try (InputStream in =
        Objects.requireNonNull(OpenApi.class.getResourceAsStream(FOLDER + name))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a part of the document. */
  static JsonNode yaml(String text) {
    try {
      return YAML.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException("the description of a route is no YAML: " + text, e);
    }
  }
}
