package io.lastfix.privacy;

import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The list of the forgotten cannot be read, and without it nothing may be stored. The message is
 * for a person.
 */
public final class ForgottenUnreadableException extends IOException {
  // Of https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int UNAUTHORIZED = 13;

  ForgottenUnreadableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** The failure goes along as the cause only where it cannot quote a server's words. */
  public static ForgottenUnreadableException of(RuntimeException failure) {
    if (failure instanceof MongoException mongo) {
      String remedy =
          mongo.getCode() == UNAUTHORIZED
              ? ": the job's role must let it find there; bring it up to date with 'lastfix"
                  + " provision' or config/mongodb/create-roles.js"
              : "";
      return new ForgottenUnreadableException(
          "The list of the forgotten cannot be read (%s, code %d)%s"
              .formatted(mongo.getClass().getSimpleName(), mongo.getCode(), remedy),
          mongo instanceof MongoServerException ? null : mongo);
    }
    return new ForgottenUnreadableException(
        "The list of the forgotten cannot be read: " + failure.getMessage(), failure);
  }
}
