package io.lastfix.audit.tree;

import io.lastfix.model.Radio;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.CellField;
import io.lastfix.parse.profile.Profile.TimestampField;
import io.lastfix.parse.profile.Profile.UserField;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a record's fields from its tree, by the paths of a profile. */
final class RecordReader {
  private final Profile profile;
  private final List<TimestampReader> timestampReaders;

  RecordReader(Profile profile) {
    this.profile = profile;
    this.timestampReaders =
        profile.timestamps().stream()
            .map(field -> new TimestampReader(field.format(), field.offset() != null))
            .toList();
  }

  FoundRecord read(RecordTree tree) throws UnreadableException {
    String user = user(tree);
    CellField field = cellField(tree);
    String[] parts = parts(tree, field);
    return new FoundRecord(
        user,
        number("mcc", parts[0]),
        number("mnc", parts[1]),
        parts[2].isEmpty() ? FoundRecord.NO_AREA : number("area", parts[2]),
        number("cid", parts[3]),
        radio(tree, field),
        timestamp(tree));
  }

  private String user(RecordTree tree) throws UnreadableException {
    for (UserField field : profile.users()) {
      Optional<String> text = tree.text(field.path(), field.choice());
      if (text.isPresent()) {
        return requirePlain(text.get());
      }
    }
    throw new UnreadableException("user: missing");
  }

  private static String requirePlain(String user) throws UnreadableException {
    // An unpaired surrogate is a code point of its own here.
    if (user.codePoints()
        .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
      throw new UnreadableException("user: expected text without control characters");
    }
    return user;
  }

  private CellField cellField(RecordTree tree) throws UnreadableException {
    for (CellField field : profile.cells()) {
      if (tree.text(field.text() == null ? field.cid() : field.text()).isPresent()) {
        return field;
      }
    }
    throw new UnreadableException("cell: missing");
  }

  /** The texts of mcc, mnc, area (empty if absent) and cid. */
  private static String[] parts(RecordTree tree, CellField field) throws UnreadableException {
    if (field.text() == null) {
      return new String[] {
        tree.text(field.mcc()).orElse(""),
        tree.text(field.mnc()).orElse(""),
        tree.text(field.area()).orElse(""),
        tree.text(field.cid()).orElse("")
      };
    }
    String[] parts = tree.text(field.text()).orElse("").split("-", -1);
    if (parts.length != 4) {
      throw new UnreadableException("cell: expected mcc-mnc-area-cid");
    }
    return parts;
  }

  private static long number(String name, String text) throws UnreadableException {
    if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new UnreadableException(name + ": expected digits");
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new UnreadableException(name + ": too large", e);
    }
  }

  private static @Nullable Radio radio(RecordTree tree, CellField field)
      throws UnreadableException {
    Optional<String> text = tree.text(field.radio());
    if (text.isEmpty()) {
      return field.constantRadio();
    }
    return Radio.parse(text.get())
        .orElseThrow(() -> new UnreadableException("radio: expected the name of a radio"));
  }

  private long timestamp(RecordTree tree) throws UnreadableException {
    for (int i = 0; i < timestampReaders.size(); i++) {
      TimestampField field = profile.timestamps().get(i);
      Optional<String> text = tree.text(field.path());
      if (text.isPresent()) {
        return timestampReaders.get(i).read(text.get(), tree.text(field.offset()).orElse(null));
      }
    }
    throw new UnreadableException("timestamp: missing");
  }
}
