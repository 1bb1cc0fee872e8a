package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One record's part of a message's tree. */
interface RecordTree {
  /**
   * The text at the end of that path, without surrounding white space; empty if it is absent or
   * blank.
   *
   * @param choice which of several to take; null: the first
   */
  Optional<String> text(FieldPath path, @Nullable TypeChoice choice);

  /** The text of a path with at most one text. */
  default Optional<String> text(@Nullable FieldPath path) {
    return path == null ? Optional.empty() : text(path, null);
  }
}
