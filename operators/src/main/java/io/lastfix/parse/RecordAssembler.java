package io.lastfix.parse;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Radio;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Decimals;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.CellField;
import io.lastfix.parse.profile.Profile.PositionField;
import io.lastfix.parse.profile.Profile.PositionPaths;
import io.lastfix.parse.profile.Profile.TimestampField;
import io.lastfix.parse.profile.Profile.UserField;
import io.lastfix.parse.profile.TimestampParser;
import io.lastfix.parse.profile.Timestamps;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.PathTree;
import io.lastfix.parse.reader.RecordFields;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.RetentionBoundary;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a {@link LocationRecord} from the collected texts: selects among a profile's
 * alternatives, parses the values, checks the timestamp.
 */
final class RecordAssembler {
  private static final Radio[] RADIOS = Radio.values();

  /**
   * The slots of a cell's parts; {@link PathNode#NO_SLOT} for parts that the profile does not name.
   */
  private record CellSlots(
      int mcc, int mnc, int area, int cid, int text, int radio, @Nullable Radio constantRadio) {
    /** Returns the slot that is filled if the cell is present. */
    int deciding() {
      return text == PathNode.NO_SLOT ? cid : text;
    }

    IntStream all() {
      return IntStream.of(mcc, mnc, area, cid, text, radio);
    }
  }

  /** The slots of a timestamp's parts, and their parser. */
  private record TimestampSlots(int time, int offset, TimestampParser parser) {}

  private final PathNode recordNode;
  private final RecordFields fields;
  private final @Nullable ConditionSlot only;
  private final boolean needsPlace;
  private final int[] userSlots;
  private final CellSlots[] cells;
  private final PositionAssembler positions;
  private final TimestampSlots[] timestamps;
  private final String userPaths;
  private final String placePaths;
  private final String timestampPaths;
  private final long maxAheadMillis;
  private final long floorMillis;
  private final @Nullable RetentionBoundary retention;
  private final PartitionAdmission admission;
  private final RecordClock clock;
  private final @Nullable SenderCheck senders;
  private boolean isPositionIgnored;
  private boolean isCellIgnored;
  private boolean isNoRecord;

  /** Makes a tree of the profile's paths; the fields are created once the tree is complete. */
  RecordAssembler(
      Profile profile,
      DecoderLimits limits,
      TimestampLimits timestampLimits,
      PartitionAdmission admission,
      RecordClock clock,
      @Nullable SenderCheck senders) {
    PathTree tree = new PathTree();
    recordNode = tree.root();
    if (profile.error() != null) {
      tree.node(profile.error().elements()).markError();
    }
    if (profile.pairs() != null) {
      tree.node(profile.pairs().path().elements()).setPairs(profile.pairs());
    }
    PathNode stands = null;
    for (String name : profile.batch()) {
      PathNode array = tree.node(List.of(name));
      stands = stands == null ? array : stands;
      array.setBatch(stands);
    }
    // Lenient: a kind that cannot be read is no other kind, and assemble() rejects it.
    only = ConditionSlot.of(tree, profile.only());
    needsPlace = profile.needsPlace();
    userSlots = profile.users().stream().mapToInt(user -> userSlot(tree, user)).toArray();
    cells = profile.cells().stream().map(cell -> cellSlots(tree, cell)).toArray(CellSlots[]::new);
    timestamps =
        profile.timestamps().stream()
            .map(timestamp -> timestampSlots(tree, timestamp))
            .toArray(TimestampSlots[]::new);
    positions = new PositionAssembler(profile, tree);
    tree.join(IntStream.of(userSlots));
    tree.join(Arrays.stream(cells).flatMapToInt(CellSlots::all));
    // Without the offsets: one around the times of a batch holds for all of them.
    tree.join(Arrays.stream(timestamps).mapToInt(TimestampSlots::time));
    String[] paths = tree.slotPaths();
    userPaths = namesOf(Arrays.stream(userSlots).mapToObj(slot -> paths[slot]));
    placePaths =
        namesOf(
            Stream.concat(
                Arrays.stream(cells).map(cell -> paths[cell.deciding()]),
                profile.positions().stream().map(RecordAssembler::decidingPath)));
    timestampPaths = namesOf(Arrays.stream(timestamps).map(slots -> paths[slots.time()]));
    fields = new RecordFields(tree, limits.maxTextLength());
    maxAheadMillis = timestampLimits.maxAhead().toMillis();
    floorMillis = timestampLimits.floor().toEpochMilli();
    HistoryRetention kept = timestampLimits.retention();
    retention = kept == null ? null : new RetentionBoundary(kept);
    this.admission = admission;
    this.clock = clock;
    this.senders = senders;
  }

  private static int userSlot(PathTree tree, UserField user) {
    if (user.choice() != null) {
      tree.node(user.path().elements()).setChoice(user.choice());
    }
    return tree.slot(user.path());
  }

  private static CellSlots cellSlots(PathTree tree, CellField cell) {
    return new CellSlots(
        tree.cellSlot(cell.mcc()),
        tree.cellSlot(cell.mnc()),
        tree.cellSlot(cell.area()),
        tree.cellSlot(cell.cid()),
        tree.cellSlot(cell.text()),
        tree.cellSlot(cell.radio()),
        cell.constantRadio());
  }

  private static TimestampSlots timestampSlots(PathTree tree, TimestampField timestamp) {
    tree.node(timestamp.path().elements()).acceptFraction();
    return new TimestampSlots(
        tree.slot(timestamp.path()),
        tree.slot(timestamp.offset()),
        TimestampParser.of(timestamp.format()));
  }

  private static String decidingPath(PositionField position) {
    PositionPaths paths = position.paths();
    return Stream.of(paths.lon(), paths.coordinates(), paths.shape())
        .filter(Objects::nonNull)
        .findFirst()
        .map(FieldPath::toString)
        .orElseThrow();
  }

  private static String namesOf(Stream<String> paths) {
    List<String> names = paths.toList();
    return names.size() == 1
        ? names.get(0)
        : names.stream().collect(Collectors.joining(", ", "one of ", ""));
  }

  /** Returns the record's own node among the profile's paths. */
  PathNode recordNode() {
    return recordNode;
  }

  /** Returns the fields, which the decoder fills before it calls {@link #assemble}. */
  RecordFields fields() {
    return fields;
  }

  /**
   * Returns the record; null if it {@linkplain #isNoRecord is none}, or must be rejected for the
   * {@link RecordFields#failure()}.
   */
  @Nullable LocationRecord assemble() {
    isPositionIgnored = false;
    isCellIgnored = false;
    isNoRecord = false;
    if (only != null && !only.isMet(fields)) {
      boolean isNamed = fields.has(only.slot());
      if (isNamed && !fields.isUnreadable(only.slot())) {
        // Whatever else is in it: the profile reads nothing of another kind of message.
        isNoRecord = true;
        return null;
      }
      fields.fail(
          isNamed ? RejectionReason.BAD_VALUE : RejectionReason.MISSING_FIELD,
          only.slot(),
          "expected " + only.expected());
    }
    String user = fields.failure() == null ? user() : null;
    Place place = user == null ? null : place();
    long timestamp = place == null ? TimestampParser.INVALID : timestamp();
    isNoRecord &= fields.failure() == null;
    return fields.failure() == null && user != null && place != null
        ? new LocationRecord(user, place, timestamp)
        : null;
  }

  /** Returns true if the profile knows the last record to be none. */
  boolean isNoRecord() {
    return isNoRecord;
  }

  /**
   * Returns true if the last record has a position of its own that cannot be used, and is at its
   * cell.
   */
  boolean isPositionIgnored() {
    return isPositionIgnored;
  }

  /**
   * Returns true if the last record has a cell that cannot be read, and is at its own position
   * alone.
   */
  boolean isCellIgnored() {
    return isCellIgnored;
  }

  private @Nullable Place place() {
    CellSlots cellSlots = firstGivenCell();
    CellId cell = cellSlots == null ? null : cell(cellSlots);
    Radio radio = cellSlots == null ? null : radio(cellSlots);
    Fix fix = positions.fix(fields);
    if (fields.isCellUnreadable()) {
      if (fix == null) {
        fields.rejectUnreadableCell();
        return null;
      }
      // Android writes 2147483647 for an unknown cell. The position is more precise anyway.
      isCellIgnored = true;
      return Place.of(null, null, fix);
    }
    String problem = positions.problem();
    if (cell != null) {
      isPositionIgnored = problem != null;
      return Place.of(cell, radio, fix);
    }
    if (fix != null) {
      return Place.of(null, null, fix);
    }
    if (problem == null && needsPlace) {
      isNoRecord = true;
    } else if (problem == null) {
      missing(placePaths);
    } else {
      fields.fail(RejectionReason.INVALID_POSITION, positions.problemPath(), problem);
    }
    return null;
  }

  private @Nullable String user() {
    for (int slot : userSlots) {
      if (fields.has(slot)) {
        char[] text = fields.text();
        int start = fields.start(slot);
        int end = fields.end(slot);
        if (!isPlainText(text, start, end)) {
          failed(slot, "expected text without control characters or half surrogate pairs");
          return null;
        }
        // Before the time, since a record of another user must not use up the budget of partitions.
        String refusal = senders == null ? null : senders.refusal(text, start, end);
        if (refusal != null) {
          fields.fail(RejectionReason.NOT_ITS_USER, slot, refusal);
          return null;
        }
        return new String(text, start, end - start);
      }
    }
    missing(userPaths);
    return null;
  }

  private static boolean isPlainText(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text[i];
      if (c >= ' ' && c <= '~') {
        continue;
      }
      if (Character.isISOControl(c) || Character.isLowSurrogate(c)) {
        return false;
      }
      if (Character.isHighSurrogate(c)) {
        i++;
        if (i == to || !Character.isLowSurrogate(text[i])) {
          return false;
        }
      }
    }
    return true;
  }

  private @Nullable CellSlots firstGivenCell() {
    for (CellSlots slots : cells) {
      if (fields.has(slots.deciding())) {
        return slots;
      }
    }
    return null;
  }

  private @Nullable CellId cell(CellSlots slots) {
    if (slots.text() != PathNode.NO_SLOT) {
      return cellOfText(slots.text());
    }
    long mcc = part(slots.mcc(), CellId.MAX_MCC);
    long mnc = part(slots.mnc(), CellId.MAX_MNC);
    long area = fields.has(slots.area()) ? part(slots.area(), CellId.MAX_AREA) : CellId.NO_AREA;
    long cid = part(slots.cid(), CellId.MAX_CID);
    return fields.isCellUnreadable() ? null : new CellId((int) mcc, (int) mnc, (int) area, cid);
  }

  private long part(int slot, long max) {
    if (!fields.has(slot)) {
      fields.failCell(RejectionReason.MISSING_FIELD, slot, "missing");
      return Decimals.INVALID;
    }
    long value = Decimals.parse(fields.text(), fields.start(slot), fields.end(slot), max);
    if (value == Decimals.INVALID) {
      fields.failCell(RejectionReason.BAD_VALUE, slot, "expected 0 to " + max);
    }
    return value;
  }

  private @Nullable CellId cellOfText(int slot) {
    char[] text = fields.text();
    int start = fields.start(slot);
    int end = fields.end(slot);
    int first = hyphen(text, start, end);
    int second = hyphen(text, first + 1, end);
    int third = hyphen(text, second + 1, end);
    long mcc = Decimals.parse(text, start, first, CellId.MAX_MCC);
    long mnc = Decimals.parse(text, first + 1, second, CellId.MAX_MNC);
    boolean hasArea = third > second + 1;
    long area = hasArea ? Decimals.parse(text, second + 1, third, CellId.MAX_AREA) : CellId.NO_AREA;
    long cid = Decimals.parse(text, third + 1, end, CellId.MAX_CID);
    boolean isAreaGood = !hasArea || area != Decimals.INVALID;
    if (mcc == Decimals.INVALID
        || mnc == Decimals.INVALID
        || cid == Decimals.INVALID
        || !isAreaGood) {
      fields.failCell(
          RejectionReason.BAD_VALUE,
          slot,
          "expected mcc-mnc-area-cid or mcc-mnc--cid, each part in its range");
      return null;
    }
    return new CellId((int) mcc, (int) mnc, (int) area, cid);
  }

  /** Returns the offset of the next hyphen, or the end. */
  private static int hyphen(char[] text, int from, int end) {
    int at = from;
    while (at < end && text[at] != '-') {
      at++;
    }
    return Math.min(at, end);
  }

  private @Nullable Radio radio(CellSlots slots) {
    if (!fields.has(slots.radio())) {
      return slots.constantRadio();
    }
    char[] text = fields.text();
    int start = fields.start(slots.radio());
    int length = fields.end(slots.radio()) - start;
    for (Radio radio : RADIOS) {
      if (isSame(radio.name(), text, start, length)) {
        return radio;
      }
    }
    Radio radio = Radio.parse(new String(text, start, length)).orElse(null);
    if (radio == null) {
      // Without the radio, the join would search among more towers and might guess.
      fields.failCell(RejectionReason.BAD_VALUE, slots.radio(), "expected the name of a radio");
    }
    return radio;
  }

  static boolean isSame(String name, char[] text, int start, int length) {
    if (name.length() != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (name.charAt(i) != text[start + i]) {
        return false;
      }
    }
    return true;
  }

  private long timestamp() {
    for (TimestampSlots slots : timestamps) {
      if (fields.has(slots.time())) {
        long timestamp = timestamp(slots);
        checkLimits(slots, timestamp);
        return timestamp;
      }
    }
    missing(timestampPaths);
    return TimestampParser.INVALID;
  }

  private long timestamp(TimestampSlots slots) {
    int offset = slots.offset() == PathNode.NO_SLOT ? TimestampParser.NO_OFFSET : 0;
    if (fields.has(slots.offset())) {
      offset =
          Timestamps.offset(
              fields.text(), fields.start(slots.offset()), fields.end(slots.offset()));
      if (offset == TimestampParser.NO_OFFSET) {
        failed(slots.offset(), "expected an offset from UTC");
        return TimestampParser.INVALID;
      }
    }
    int time = slots.time();
    long timestamp =
        slots.parser().parse(fields.text(), fields.start(time), fields.end(time), offset);
    if (timestamp == TimestampParser.INVALID) {
      failed(slots.time(), "expected a time in the profile's format");
    }
    return timestamp;
  }

  private void checkLimits(TimestampSlots slots, long timestamp) {
    if (timestamp == TimestampParser.INVALID) {
      return;
    }
    if (timestamp < floorMillis) {
      fields.fail(
          RejectionReason.TIMESTAMP_BEFORE_FLOOR, slots.time(), "earlier than the allowed floor");
    } else if (timestamp - clock.arrivalMillis() > maxAheadMillis) {
      fields.fail(
          RejectionReason.TIMESTAMP_AHEAD, slots.time(), "further ahead of the clock than allowed");
    } else if (retention != null && retention.isExpired(timestamp, clock.nowMillis())) {
      fields.fail(
          RejectionReason.OLDER_THAN_RETENTION,
          slots.time(),
          "in a partition of History that has expired (history.retention)");
    } else if (fields.failure() == null) {
      // The last check, since it may consume the budget: the record is valid in all other respects.
      PartitionAdmission.Refusal refusal = admission.refusal(timestamp, clock.nowMillis());
      if (refusal != null) {
        fields.fail(refusal.reason(), slots.time(), refusal.detail());
      }
    }
  }

  private void failed(int slot, String what) {
    fields.fail(RejectionReason.BAD_VALUE, slot, what);
  }

  private void missing(String paths) {
    fields.fail(RejectionReason.MISSING_FIELD, paths, "missing");
  }
}
