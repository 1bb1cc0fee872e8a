package io.lastfix.alert;

import io.lastfix.model.Position;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.follow.RuleFollower;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The topic of rules in memory, and what a subtask says to it. It stays in the test's JVM. */
final class TestRules implements RuleFollower.Opener {
  private final transient Map<String, Long> versions = new HashMap<>();
  private final transient List<Long> applied = new CopyOnWriteArrayList<>();
  private final transient List<RuleMessage.OfPause> pauses = new ArrayList<>();
  private final transient Map<String, String> groups = new ConcurrentHashMap<>();
  private transient RuleBook book = RuleBook.EMPTY;
  private transient RuleSet rules = RuleSet.empty(groups::get);
  private transient long offset;
  private transient RuleFollower.@Nullable Listener listener;

  /** Registers a device in a group. */
  TestRules group(String device, String group) {
    groups.put(device, group);
    return this;
  }

  /** Puts the next version of a rule. */
  TestRules rule(String id, String yaml) {
    return send(
        new RuleMessage.OfRule(
            id, nextVersion(id), new RuleMessage.Content(yaml, "anna", Instant.EPOCH)));
  }

  /** Deletes a rule, by its next version. */
  TestRules deleteRule(String id) {
    return send(new RuleMessage.OfRule(id, nextVersion(id), null));
  }

  /** Puts the next version of a circle. */
  TestRules fence(String id, Position center, double radiusMeters) {
    return send(fence(id, nextVersion(id), new Fence(id, new Fence.Circle(center, radiusMeters))));
  }

  /** Returns the message of a fence that was put at 500 s and its version. */
  static RuleMessage.OfFence fence(String id, long version, Fence fence) {
    Instant put = Instant.ofEpochMilli(JudgeHarness.T + (500 + version) * 1_000);
    return new RuleMessage.OfFence(id, version, put, fence);
  }

  TestRules send(RuleMessage message) {
    RuleBook.Builder builder = book.toBuilder();
    builder.add(new StoredMessage(offset, message));
    book = builder.build();
    offset++;
    rules = RuleSet.of(book, rules);
    if (listener != null) {
      listener.changed(rules, offset);
    }
    return this;
  }

  private long nextVersion(String id) {
    return versions.merge(id, 1L, Long::sum);
  }

  /** Sends the current rules again, as if they had come while the operator was opened. */
  void sendAgain() {
    subscribed().changed(rules, offset);
  }

  void fail(Throwable cause) {
    subscribed().failed(cause);
  }

  private RuleFollower.Listener subscribed() {
    if (listener == null) {
      throw new IllegalStateException("No subtask is subscribed");
    }
    return listener;
  }

  boolean isSubscribed() {
    return listener != null;
  }

  /** The offsets that subtasks have acknowledged. */
  List<Long> applied() {
    return applied;
  }

  List<RuleMessage.OfPause> pauses() {
    return pauses;
  }

  @Override
  public RuleFollower.Subscription open(
      String jobId, int subtask, int of, int attempt, RuleFollower.Listener opened) {
    listener = opened;
    return new RuleFollower.Subscription() {
      @Override
      public RuleSet rules() {
        return rules;
      }

      @Override
      public long offset() {
        return offset;
      }

      @Override
      public void applied(long until) {
        applied.add(until);
      }

      @Override
      public void pause(RuleMessage.OfPause pause) {
        pauses.add(pause);
      }

      @Override
      public void close() {
        listener = null;
      }
    };
  }
}
