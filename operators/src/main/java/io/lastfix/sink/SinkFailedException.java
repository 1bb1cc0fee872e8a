package io.lastfix.sink;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Fails the job: MongoDB rejects writes permanently, or has not accepted them within the retry
 * timeout. The message names the collection and the reason, and contains no contents of documents.
 */
public final class SinkFailedException extends IOException {
  SinkFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
