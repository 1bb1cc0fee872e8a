package io.lastfix.parse;

import io.lastfix.parse.profile.Profile.Condition;
import io.lastfix.parse.reader.PathTree;
import io.lastfix.parse.reader.RecordFields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The slot of a {@link Condition}, and the values that meet it.
 *
 * @param values upper and lower case are the same
 */
record ConditionSlot(int slot, List<String> values) {
  /**
   * Returns the condition's slot, where an unreadable value does not meet it; null if there is no
   * condition.
   */
  static @Nullable ConditionSlot of(PathTree tree, @Nullable Condition condition) {
    return condition == null
        ? null
        : new ConditionSlot(tree.lenientSlot(condition.path()), condition.values());
  }

  boolean isMet(RecordFields fields) {
    if (!fields.has(slot)) {
      return false;
    }
    for (String value : values) {
      if (isSame(value, fields, slot)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if the slot has that text, in upper or lower case. */
  static boolean isSame(String value, RecordFields fields, int slot) {
    char[] text = fields.text();
    int start = fields.start(slot);
    if (value.length() != fields.end(slot) - start) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      if (Character.toLowerCase(value.charAt(i)) != Character.toLowerCase(text[start + i])) {
        return false;
      }
    }
    return true;
  }

  /** Returns the values, for messages. */
  String expected() {
    return String.join(" or ", values);
  }
}
