package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What stands at one place of a message's tree. */
interface TreeValue {
  /** The values of that name inside it, in their order. */
  default List<? extends TreeValue> named(String name) {
    return List.of();
  }

  /**
   * The text as it is written; empty if this is no text.
   *
   * @param attribute whose text it is; null: its own
   */
  default String content(@Nullable String attribute) {
    return "";
  }

  /** {@code true} or {@code false}, which are texts for a condition only. */
  default Optional<String> flag() {
    return Optional.empty();
  }

  /** Returns whether it is no text, whatever its length. */
  default boolean isNoText(@Nullable String attribute) {
    return false;
  }

  /** See {@link RecordTree#isUnreadable}. */
  default boolean isUnreadable(@Nullable String attribute, boolean isNumber) {
    return isNoText(attribute);
  }

  /** The place in a choice between several; the least comes first. */
  default int rank(TypeChoice choice) {
    return 0;
  }

  /** The values of that name inside any of these. */
  static List<TreeValue> named(List<TreeValue> values, String name) {
    return values.stream().<TreeValue>flatMap(value -> value.named(name).stream()).toList();
  }

  /** The values at the end of a path that begins in this. */
  default List<TreeValue> at(FieldPath path) {
    List<TreeValue> values = List.of(this);
    for (String name : path.elements()) {
      values = named(values, name);
    }
    return values;
  }

  /** The kinds of a {@link Leaf}. */
  enum Kind {
    /** A text, or a whole number in its original form. */
    TEXT,
    /** A number with a point or an exponent, in its original form. */
    FRACTION,
    /** True or false. */
    FLAG,
    /** Null. */
    NULL,
    /** A value that no field can have: an array or an object where none is expected. */
    OTHER
  }

  /** A value with nothing inside that any path leads to. */
  record Leaf(Kind kind, String text) implements TreeValue {
    static final Leaf NULL = new Leaf(Kind.NULL, "");
    static final Leaf OTHER = new Leaf(Kind.OTHER, "");

    @Override
    public String content(@Nullable String attribute) {
      return kind == Kind.TEXT || kind == Kind.FRACTION ? text : "";
    }

    @Override
    public Optional<String> flag() {
      return kind == Kind.FLAG ? Optional.of(text) : Optional.empty();
    }

    @Override
    public boolean isNoText(@Nullable String attribute) {
      return kind != Kind.TEXT && kind != Kind.NULL;
    }

    @Override
    public boolean isUnreadable(@Nullable String attribute, boolean isNumber) {
      return kind == Kind.OTHER || (kind == Kind.FRACTION && !isNumber);
    }

    /** Returns whether it counts as absent. */
    boolean isBlank() {
      return kind == Kind.NULL || (kind == Kind.TEXT && text.isBlank());
    }
  }

  /** A value under its name. */
  record Member(String name, TreeValue value) {}

  /** An object with the members that paths lead to. */
  record Members(List<Member> members) implements TreeValue, RecordTree {
    @Override
    public List<TreeValue> named(String name) {
      return members.stream()
          .filter(member -> member.name().equals(name))
          .map(Member::value)
          .toList();
    }

    @Override
    public TreeValue start(FieldPath path) {
      return this;
    }
  }
}
