package io.lastfix.store.erasure;

import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import io.lastfix.store.connect.MongoAccessException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The erasure list is unreadable; without it the sinks may not store anything. The message is for
 * the user.
 */
public final class ErasureListUnreadableException extends IOException {
  public ErasureListUnreadableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Sets the failure as the cause only if it cannot quote documents of the server. */
  public static ErasureListUnreadableException of(RuntimeException failure) {
    if (failure instanceof MongoException mongo) {
      String remedy =
          MongoAccessException.isUnauthorized(mongo)
              ? ": the job's role needs the right to read it; update the role with 'lastfix"
                  + " provision' or config/mongodb/create-roles.js"
              : "";
      return new ErasureListUnreadableException(
          "The erasure list cannot be read (%s, code %d)%s"
              .formatted(mongo.getClass().getSimpleName(), mongo.getCode(), remedy),
          mongo instanceof MongoServerException ? null : mongo);
    }
    return new ErasureListUnreadableException(
        "The erasure list cannot be read: " + failure.getMessage(), failure);
  }
}
