package io.lastfix.audit.tree;

import io.lastfix.audit.tree.TreeReader.NoRecordException;
import io.lastfix.model.CellId;
import io.lastfix.model.Radio;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.CellField;
import io.lastfix.parse.profile.Profile.Condition;
import io.lastfix.parse.profile.Profile.TimestampField;
import io.lastfix.parse.profile.Profile.UserField;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a record's fields from its tree, by the paths of a profile. */
final class RecordReader {
  private final Profile profile;
  private final List<TimestampReader> timestampReaders;
  private final PositionReader positions;
  private final List<FieldPath> cellPaths;
  private final int maxTextLength;

  RecordReader(Profile profile, int maxTextLength) {
    this.profile = profile;
    this.maxTextLength = maxTextLength;
    this.cellPaths =
        profile.cells().stream().flatMap(RecordReader::paths).filter(Objects::nonNull).toList();
    this.positions = new PositionReader(profile.positions(), maxTextLength);
    this.timestampReaders =
        profile.timestamps().stream()
            .map(field -> new TimestampReader(field.format(), field.offset() != null))
            .toList();
  }

  /** All paths of a cell, some of them null. */
  static Stream<@Nullable FieldPath> paths(CellField cell) {
    return Stream.of(cell.mcc(), cell.mnc(), cell.area(), cell.cid(), cell.text(), cell.radio());
  }

  FoundRecord read(RecordTree tree) throws UnreadableException {
    if (profile.only() != null && !isMet(tree, profile.only())) {
      throw kindOf(tree, profile.only().path());
    }
    String user = user(tree);
    CellField field = cellField(tree);
    PositionReader.Result position = positions.read(tree);
    OwnPosition own = position.own();
    if (isCellUnreadable(tree)) {
      if (own == null) {
        throw new UnreadableException("cell: a part of it is no text, or there more than once");
      }
      return FoundRecord.withoutCell(user, timestamp(tree), own);
    }
    if (field == null) {
      if (own == null && position.problem() == null && profile.needsPlace()) {
        throw new NoRecordException();
      }
      if (own == null) {
        throw new UnreadableException(
            Objects.requireNonNullElse(position.problem(), "cell and position: missing"));
      }
      return FoundRecord.withoutCell(user, timestamp(tree), own);
    }
    try {
      return atCell(tree, field, user, timestamp(tree)).at(own);
    } catch (UnreadableCellException e) {
      if (own == null) {
        throw e;
      }
      return FoundRecord.withoutCell(user, timestamp(tree), own);
    }
  }

  /** What to throw for a record that is not of the profile's kind: of another kind, or of none. */
  private UnreadableException kindOf(RecordTree tree, FieldPath path) {
    boolean isNamed = tree.onlyTextOrFlag(path).filter(text -> !text.isEmpty()).isPresent();
    return isNamed && !tree.isUnreadable(path, maxTextLength, false)
        ? new NoRecordException()
        : new UnreadableException("the kind of the message: missing");
  }

  /** Any part counts, also of a cell that the profile would not choose. */
  private boolean isCellUnreadable(RecordTree tree) {
    return cellPaths.stream()
        .anyMatch(path -> tree.isRepeated(path) || tree.isNoText(path, maxTextLength));
  }

  /** A cell that a record does not need if it has a position of its own. */
  private static final class UnreadableCellException extends UnreadableException {
    UnreadableCellException(String message) {
      super(message);
    }
  }

  private static FoundRecord atCell(
      RecordTree tree, CellField field, String user, long timestampMillis)
      throws UnreadableCellException {
    String[] parts = parts(tree, field);
    return new FoundRecord(
        user,
        number("mcc", parts[0], CellId.MAX_MCC),
        number("mnc", parts[1], CellId.MAX_MNC),
        parts[2].isEmpty() ? FoundRecord.NO_AREA : number("area", parts[2], CellId.MAX_AREA),
        number("cid", parts[3], CellId.MAX_CID),
        radio(tree, field),
        timestampMillis);
  }

  /** Returns whether a record has one of the condition's values. */
  static boolean isMet(RecordTree tree, Condition condition) {
    return tree.onlyTextOrFlag(condition.path())
        .filter(text -> condition.values().stream().anyMatch(text::equalsIgnoreCase))
        .isPresent();
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

  /** Null if the record names no cell. */
  private @Nullable CellField cellField(RecordTree tree) {
    for (CellField field : profile.cells()) {
      if (tree.text(field.text() == null ? field.cid() : field.text()).isPresent()) {
        return field;
      }
    }
    return null;
  }

  /** The texts of mcc, mnc, area (empty if absent) and cid. */
  private static String[] parts(RecordTree tree, CellField field) throws UnreadableCellException {
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
      throw new UnreadableCellException("cell: expected mcc-mnc-area-cid");
    }
    return parts;
  }

  private static long number(String name, String text, long max) throws UnreadableCellException {
    if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new UnreadableCellException(name + ": expected digits");
    }
    BigInteger number = new BigInteger(text);
    if (number.compareTo(BigInteger.valueOf(max)) > 0) {
      throw new UnreadableCellException(name + ": too large");
    }
    return number.longValueExact();
  }

  private static @Nullable Radio radio(RecordTree tree, CellField field)
      throws UnreadableCellException {
    Optional<String> text = tree.text(field.radio());
    if (text.isEmpty()) {
      return field.constantRadio();
    }
    return Radio.parse(text.get())
        .orElseThrow(() -> new UnreadableCellException("radio: expected the name of a radio"));
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
