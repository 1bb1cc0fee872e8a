package io.lastfix.sink;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Fails the job: writes that MongoDB refuses for good, or has not taken for too long. Its message
 * says which collection and why, and holds no contents of documents.
 */
public final class SinkFailedException extends IOException {
  SinkFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
