package io.lastfix.console.http;

import com.linecorp.armeria.server.ServiceRequestContext;
import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Texts for the log, without what names a device or a place: paths, filters, messages. */
public final class LogText {
  private LogText() {}

  /** A request by the pattern of its route. */
  static String request(ServiceRequestContext context) {
    return context.config().route().patternString();
  }

  /**
   * A failure of MongoDB in one line: its code if the server refused, else what the driver reports.
   */
  public static String failure(Throwable failure) {
    if (failure instanceof MongoServerException refused) {
      return "%s with code %d".formatted(refused.getClass().getName(), refused.getCode());
    }
    // The driver's own messages name servers, and no query.
    return failure instanceof MongoException ? failure.toString() : failure.getClass().getName();
  }

  /** The classes of a failure and of its causes, and where each was thrown. */
  public static String trace(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (@Nullable Throwable it = failure; it != null && seen.add(it); it = it.getCause()) {
      text.append(seen.size() == 1 ? "" : "\nCaused by: ").append(it.getClass().getName());
      for (StackTraceElement element : it.getStackTrace()) {
        text.append("\n\tat ").append(element);
      }
    }
    return text.toString();
  }
}
