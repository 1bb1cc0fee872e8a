package io.lastfix.rules.topic;

import io.lastfix.rules.fence.Fence;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One message of {@code lastfix.rules}. A deletion is a message, too: Kafka would remove one
 * without a value, and an older version could then count again.
 */
public sealed interface RuleMessage {
  /** The greatest version: some readers of JSON round greater numbers. */
  long MAX_VERSION = (1L << 53) - 1;

  /** Returns the id of the rule or fence. */
  String id();

  /** Returns the version: of the messages of one key, the greatest counts. */
  long version();

  /** Returns the message's key. */
  String key();

  /** Returns whether it deletes the rule or fence. */
  default boolean isDeletion() {
    return false;
  }

  /**
   * {@code rule/<id>}.
   *
   * @param content null: it was deleted
   */
  record OfRule(String id, long version, @Nullable Content content) implements RuleMessage {
    @Override
    public String key() {
      return "rule/" + id;
    }

    @Override
    public boolean isDeletion() {
      return content == null;
    }
  }

  /**
   * A rule as it was put.
   *
   * @param yaml its text
   * @param by the name of the operator's account
   */
  record Content(String yaml, String by, Instant put) {}

  /**
   * {@code fence/<id>}.
   *
   * @param put when it was put or deleted; alerts about the change have this instant
   * @param fence null: it was deleted
   */
  record OfFence(String id, long version, Instant put, @Nullable Fence fence)
      implements RuleMessage {
    @Override
    public String key() {
      return "fence/" + id;
    }

    @Override
    public boolean isDeletion() {
      return fence == null;
    }
  }

  /**
   * {@code pause/<id>}. A later version of the rule is not paused.
   *
   * @param version of the rule that is paused
   * @param by the name of the operator's account, or of the program
   */
  record OfPause(String id, long version, String by, String reason) implements RuleMessage {
    @Override
    public String key() {
      return "pause/" + id;
    }
  }

  /**
   * A message of a newer release or of another program. If it counts, no older version does.
   *
   * @param version 0 if it cannot be read
   * @param problem why the message cannot be read, without its content
   */
  record Unreadable(String key, long version, String problem) implements RuleMessage {
    @Override
    public String id() {
      return key.substring(key.indexOf('/') + 1);
    }

    /** Returns whether it is about a fence. */
    public boolean isOfFence() {
      return key.startsWith("fence/");
    }

    /** Returns whether it is about a rule, and not about its pause. */
    public boolean isOfRule() {
      return key.startsWith("rule/");
    }

    /** Returns the key, the version and the problem. */
    public String words() {
      return "%s, version %s: %s"
          .formatted(key, version == 0 ? "unknown" : Long.toString(version), problem);
    }
  }
}
