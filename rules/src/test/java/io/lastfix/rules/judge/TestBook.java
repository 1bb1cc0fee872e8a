package io.lastfix.rules.judge;

import io.lastfix.model.Position;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.StoredMessage;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A book to which messages are added, each with the next version of its key. */
final class TestBook {
  /** The id of the usual fence. */
  static final String DEPOT = "depot";

  /** The centre of circles. */
  static final Position CENTER = new Position(-122.388, 37.6155);

  private final Map<String, Long> versions = new HashMap<>();
  private RuleBook book = RuleBook.EMPTY;
  private RuleSet set;
  private long offset;

  /** Creates an empty book. */
  TestBook() {
    this(RuleSet.EMPTY);
  }

  /**
   * Creates an empty book.
   *
   * @param before has compiled rules that are added
   */
  TestBook(RuleSet before) {
    set = before;
  }

  /** Returns a book with a circle of 500 m, and these rules. */
  static TestBook with(TestRule... rules) {
    return with(Groups.NONE, rules);
  }

  /** Returns a book with a circle of 500 m, groups, and these rules. */
  static TestBook with(Groups groups, TestRule... rules) {
    TestBook book = new TestBook(RuleSet.empty(groups)).circle(500);
    for (TestRule rule : rules) {
      book.rule(rule);
    }
    return book;
  }

  private TestBook add(RuleMessage message) {
    RuleBook.Builder builder = book.toBuilder();
    builder.add(new StoredMessage(offset, message));
    book = builder.build();
    offset++;
    return this;
  }

  private long next(String key) {
    return versions.merge(key, 1L, Long::sum);
  }

  /** Puts the circle {@link #DEPOT} around {@link #CENTER}. */
  TestBook circle(double radiusMeters) {
    return fence(DEPOT, new Fence.Circle(CENTER, radiusMeters));
  }

  TestBook fence(String id, Fence.Area area) {
    return add(id, new Fence(id, area));
  }

  private TestBook add(String id, @Nullable Fence fence) {
    long version = next("fence/" + id);
    return add(new RuleMessage.OfFence(id, version, put(version), fence));
  }

  /** Returns when a version of a fence was put or deleted: long after all records. */
  static Instant put(long version) {
    return Instant.ofEpochMilli(TestRecord.millis(90_000 + version));
  }

  /** Puts a fence or rule of a newer release. */
  TestBook unreadable(String key) {
    return add(new RuleMessage.Unreadable(key, next(key), "the value is of a newer release"));
  }

  TestBook deleteFence(String id) {
    return add(id, null);
  }

  TestBook rule(TestRule rule) {
    return rule(rule.id(), rule.yaml());
  }

  TestBook rule(String id, String yaml) {
    RuleMessage.Content content = new RuleMessage.Content(yaml, "anna", Instant.EPOCH);
    return add(new RuleMessage.OfRule(id, next("rule/" + id), content));
  }

  TestBook deleteRule(String id) {
    return add(new RuleMessage.OfRule(id, next("rule/" + id), null));
  }

  TestBook pause(String id) {
    return add(new RuleMessage.OfPause(id, versions.get("rule/" + id), "anna", "at night"));
  }

  /** Compiles what has been added since the last call. */
  RuleSet set() {
    set = RuleSet.of(book, set);
    return set;
  }
}
