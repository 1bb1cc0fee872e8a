package io.lastfix.cluster.flink;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The wait for a requested stop ended early; the stop may yet end the job. */
public final class StopGivenUpException extends IOException {
  private final @Nullable String savepoint;

  StopGivenUpException(String message, @Nullable String savepoint, @Nullable IOException cause) {
    super(message, cause);
    this.savepoint = savepoint;
  }

  /** The savepoint's path, if it was already taken. */
  public Optional<String> savepoint() {
    return Optional.ofNullable(savepoint);
  }
}
