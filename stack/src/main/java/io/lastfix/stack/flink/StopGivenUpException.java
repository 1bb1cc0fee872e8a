package io.lastfix.stack.flink;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Nobody waits for a stop any longer that was asked for, and that may yet end the job. */
public final class StopGivenUpException extends IOException {
  private static final long serialVersionUID = 1;

  private final @Nullable String savepoint;

  StopGivenUpException(String message, @Nullable String savepoint, @Nullable IOException cause) {
    super(message, cause);
    this.savepoint = savepoint;
  }

  /** The savepoint's path, if that was taken already. */
  public Optional<String> savepoint() {
    return Optional.ofNullable(savepoint);
  }
}
