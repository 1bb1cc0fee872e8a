package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.CellField;
import io.lastfix.parse.profile.Profile.TimestampField;
import io.lastfix.parse.profile.Profile.UserField;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The elements that a profile's paths lead to; no other part of a message is kept.
 *
 * @param members the names inside, and the expected parts of each
 * @param attributes the names of attributes; used for XML only
 */
record Expected(Map<String, Expected> members, Set<String> attributes) {
  private Expected() {
    this(new HashMap<>(), new HashSet<>());
  }

  /** The expected parts of a record. */
  static Expected of(Profile profile) {
    Expected record = new Expected();
    for (UserField user : profile.users()) {
      Expected end = record.add(user.path());
      if (user.choice() != null) {
        end.attributes.add(user.choice().attribute());
      }
    }
    for (CellField cell : profile.cells()) {
      record.add(cell.mcc());
      record.add(cell.mnc());
      record.add(cell.area());
      record.add(cell.cid());
      record.add(cell.text());
      record.add(cell.radio());
    }
    for (TimestampField timestamp : profile.timestamps()) {
      record.add(timestamp.path());
      record.add(timestamp.offset());
    }
    return record;
  }

  private Expected add(@Nullable FieldPath path) {
    Expected end = this;
    for (String name : path == null ? List.<String>of() : path.elements()) {
      end = end.members.computeIfAbsent(name, absent -> new Expected());
    }
    if (path != null && path.attribute() != null) {
      end.attributes.add(path.attribute());
    }
    return end;
  }
}
