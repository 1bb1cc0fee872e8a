package io.lastfix.console.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A route of the API, with its whole description: its address, its parameters, what it answers, and
 * what serves it. From a list of routes the console makes its server and the document of its API. A
 * route's clients, its metrics and its headers follow from its address, {@code /v1/…}.
 *
 * @param path with parameters in braces
 * @param names of the query's parameters
 * @param operation its part of the document
 * @param handler what serves it
 */
public record Route(String path, SortedSet<String> names, ObjectNode operation, Handler handler) {
  /** Below this path, access is checked and requests count as those of the API. */
  private static final String ROOT = "/v1/";

  /** Of a limit of 10,000 and more. */
  private static final int LARGE_DIGITS = 5;

  /** What serves a request whose parameters are known ones. */
  public interface Handler {
    /** Answers, or throws a {@link ProblemException}. */
    HttpResponse serve(ServiceRequestContext context, Parameters request, Queries queries);
  }

  /** Begins the description of a route for GET, which is the only method. */
  public static Builder get(String path, String summary) {
    return new Builder(path, summary);
  }

  /** Answers a request. */
  public HttpResponse serve(ServiceRequestContext context, Queries queries) {
    return handler.serve(context, Parameters.of(context, names), queries);
  }

  /** Describes a route. */
  public static final class Builder {
    private final String path;
    private final SortedSet<String> names = new TreeSet<>();
    private final ObjectNode operation = JsonNodeFactory.instance.objectNode();
    private final ArrayNode parameters;
    private final ObjectNode responses;

    private Builder(String path, String summary) {
      if (!path.startsWith(ROOT)) {
        throw new IllegalArgumentException(
            "expected a path below %s, found %s".formatted(ROOT, path));
      }
      this.path = path;
      operation.put("summary", summary);
      parameters = operation.putArray("parameters");
      responses = operation.putObject("responses");
    }

    /** Adds parameters; a request with any other is refused. */
    public Builder takes(Parameter<?>... taken) {
      for (Parameter<?> parameter : taken) {
        parameters.add(parameter.toOpenApi());
        if (parameter.isInQuery()) {
          names.add(parameter.name());
        }
      }
      return this;
    }

    /**
     * Describes the JSON that is answered.
     *
     * @param schema of JSON Schema, in YAML
     */
    public Builder answers(String description, String schema) {
      return answers(description, MediaType.JSON, schema);
    }

    /** Describes an answer of another type. */
    public Builder answers(String description, MediaType type, String schema) {
      responses
          .putObject("200")
          .put("description", description)
          .putObject("content")
          .putObject(type.toString())
          .set("schema", OpenApi.yaml(schema));
      return refuses(
          HttpStatus.BAD_REQUEST,
          HttpStatus.UNAUTHORIZED,
          HttpStatus.FORBIDDEN,
          HttpStatus.MISDIRECTED_REQUEST);
    }

    /** Adds problems to those that any route may answer. */
    public Builder refuses(HttpStatus... problems) {
      for (HttpStatus problem : problems) {
        responses.putObject(problem.codeAsText()).put("$ref", "#/components/responses/Problem");
      }
      return this;
    }

    /**
     * The route is a query: it runs outside the event loops, and shares its places fairly.
     *
     * @param query returns the answer, or throws a {@link ProblemException}
     */
    public Route query(Function<Parameters, ObjectNode> query) {
      return refuses(HttpStatus.SERVICE_UNAVAILABLE)
          .serve(
              (context, request, queries) ->
                  queries.answer(context, isLarge(request), () -> query.apply(request)));
    }

    /** An invalid limit is refused by its route. */
    private static boolean isLarge(Parameters request) {
      String limit = request.query("limit");
      return limit != null && limit.length() >= LARGE_DIGITS;
    }

    /** The route answers on the event loop, and does not wait there. */
    public Route serve(Handler handler) {
      return new Route(path, names, operation, handler);
    }
  }
}
