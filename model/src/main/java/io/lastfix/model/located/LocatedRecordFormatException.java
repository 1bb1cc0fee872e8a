package io.lastfix.model.located;

import org.jspecify.annotations.Nullable;

/**
 * The bytes are no message of the topic of located records. The message says what is wrong and
 * never quotes the user.
 */
public final class LocatedRecordFormatException extends Exception {
  LocatedRecordFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
