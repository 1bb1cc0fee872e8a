package io.lastfix.kit.poll;

import org.jspecify.annotations.Nullable;

/**
 * A problem that repeated checks meet. It is reported once, and once more after a check without it.
 * Not thread-safe.
 */
public final class Trouble {
  private @Nullable String known;

  /** Returns whether a check meets this problem, and the one before did not. */
  public boolean isNew(String problem) {
    boolean isNew = !problem.equals(known);
    known = problem;
    return isNew;
  }

  /** Returns whether the last check met a problem. */
  public boolean isThere() {
    return known != null;
  }

  /** A check met no problem. */
  public void end() {
    known = null;
  }
}
