package io.lastfix.console.http;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What one request says. Each parameter may be given once; an unknown one is refused. */
public final class Parameters {
  private static final int GREATEST_LENGTH = 1_024;

  private final ServiceRequestContext context;
  private final QueryParams query;

  private Parameters(ServiceRequestContext context, QueryParams query) {
    this.context = context;
    this.query = query;
  }

  /**
   * Checks the names.
   *
   * @param names of the query's parameters that the route knows, in order
   * @throws ProblemException if there is another name, or one twice
   */
  static Parameters of(ServiceRequestContext context, Set<String> names) {
    QueryParams given = context.queryParams();
    for (String name : given.names()) {
      if (!names.contains(name)) {
        throw refused(
            "unknown parameter; expected " + (names.isEmpty() ? "none" : String.join(", ", names)));
      }
      List<String> values = given.getAll(name);
      if (values.size() > 1) {
        throw refused(name + ": expected once, found %d times".formatted(values.size()));
      }
      if (values.get(0).length() > GREATEST_LENGTH) {
        throw refused(name + ": expected up to %d characters".formatted(GREATEST_LENGTH));
      }
    }
    return new Parameters(context, given);
  }

  /** The refusal of a parameter. */
  public static ProblemException refused(String detail) {
    return new ProblemException(Problem.parameter(detail));
  }

  /** Returns what a computation returns; what it does not accept is refused, in its words. */
  public static <T> T orRefused(Supplier<T> computation) {
    try {
      return computation.get();
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  @Nullable String path(String name) {
    return context.pathParam(name);
  }

  @Nullable String query(String name) {
    return query.get(name);
  }

  @Nullable String header(String name) {
    return context.request().headers().get(name);
  }
}
