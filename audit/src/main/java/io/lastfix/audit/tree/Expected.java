package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.CellField;
import io.lastfix.parse.profile.Profile.Pairs;
import io.lastfix.parse.profile.Profile.PositionField;
import io.lastfix.parse.profile.Profile.PositionPaths;
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
 * @param arrays which members are arrays of numbers; used for JSON only
 * @param pairs which members are lists of names and values; used for JSON only
 * @param isWhole whether all that is inside is kept, as of a shape; used for XML only
 */
record Expected(
    Map<String, Expected> members,
    Set<String> attributes,
    Set<String> arrays,
    Map<String, Pairs> pairs,
    boolean isWhole) {
  /** The attribute of a shape's elements that names what their coordinates mean. */
  static final String COORDINATE_SYSTEM = "srsName";

  Expected() {
    this(new HashMap<>(), new HashSet<>(), new HashSet<>(), new HashMap<>(), false);
  }

  private static Expected ofShape() {
    return new Expected(
        new HashMap<>(),
        new HashSet<>(Set.of(COORDINATE_SYSTEM)),
        new HashSet<>(),
        new HashMap<>(),
        true);
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
      RecordReader.paths(cell).forEach(record::add);
    }
    if (profile.pairs() != null) {
      FieldPath list = profile.pairs().path();
      record.parentOf(list).pairs.put(lastOf(list), profile.pairs());
    }
    if (profile.only() != null) {
      record.add(profile.only().path());
    }
    for (PositionField position : profile.positions()) {
      PositionPaths paths = position.paths();
      record.add(paths.lon());
      record.add(paths.lat());
      record.add(paths.accuracy());
      record.add(paths.confidence());
      record.add(paths.altitude());
      record.add(position.source().path());
      if (position.invalid() != null) {
        record.add(position.invalid().path());
      }
      if (paths.coordinates() != null) {
        record.parentOf(paths.coordinates()).arrays.add(lastOf(paths.coordinates()));
      }
      if (paths.shape() != null) {
        record.parentOf(paths.shape()).members.put(lastOf(paths.shape()), ofShape());
      }
    }
    for (TimestampField timestamp : profile.timestamps()) {
      record.add(timestamp.path());
      record.add(timestamp.offset());
    }
    return record;
  }

  /** Returns whether a path leads into a member of that name. */
  boolean has(String name) {
    return members.containsKey(name) || arrays.contains(name);
  }

  /** The expected parts of a member; null if no path leads into it. */
  @Nullable Expected inside(String name) {
    return isWhole ? this : members.get(name);
  }

  /** Returns whether anything but a text may be inside. */
  boolean hasMembers() {
    return isWhole || !members.isEmpty() || !arrays.isEmpty();
  }

  private Expected parentOf(FieldPath path) {
    return add(new FieldPath(path.elements().subList(0, path.elements().size() - 1), null));
  }

  private static String lastOf(FieldPath path) {
    return path.elements().get(path.elements().size() - 1);
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
