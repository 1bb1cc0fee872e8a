package io.lastfix.parse.reader;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.reader.PathNode.AttributeSlot;
import io.lastfix.parse.shape.ShapeElements;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The texts of one record's fields by slot, as a decoder collects them, and the first error found
 * in the record. A decoder reuses one instance for all records, so that no field allocates memory.
 *
 * <p>Texts follow each other in one buffer. Leading and trailing white space, as XML and JSON
 * define it, is not part of a text. Other control characters are: otherwise a user with a NUL would
 * become another user.
 */
public final class RecordFields {
  private static final String FOUND_AGAIN = "expected once, found again";
  private static final String LONGER_THAN_THE_LIMIT = "longer than the limit of characters";

  private final String[] slotPaths;
  private final int maxTextLength;
  private final int[] starts;
  private final int[] ends;
  private final int[] ranks;
  private final boolean[] strict;
  private final boolean[] ofCell;
  private final List<int[]> wholes;

  /** The slots that {@link #complete} must not fill. */
  private final boolean[] own;

  private final ShapeElements shape = new ShapeElements();

  /** For each slot and each node, the number of the record that last filled or contained it. */
  private final long[] filledInRecord;

  private final long[] seenInRecord;
  private long currentRecord;
  private char[] text = new char[512];
  private int textEnd;
  private int openStart;
  private int openRank;
  private @Nullable Failure failure;
  private @Nullable Failure cellFailure;

  /** An error, and the path at which it was found. */
  private record Failure(RejectionReason reason, String path, String problem) {}

  public RecordFields(PathTree tree, int maxTextLength) {
    this.slotPaths = tree.slotPaths();
    this.maxTextLength = maxTextLength;
    this.starts = new int[slotPaths.length];
    this.ends = new int[slotPaths.length];
    this.ranks = new int[slotPaths.length];
    this.filledInRecord = new long[slotPaths.length];
    this.seenInRecord = new long[tree.nodes()];
    this.strict = new boolean[slotPaths.length];
    this.ofCell = new boolean[slotPaths.length];
    this.wholes = tree.wholes();
    this.own = new boolean[slotPaths.length];
    for (int slot = 0; slot < strict.length; slot++) {
      strict[slot] = tree.isStrict(slot);
      ofCell[slot] = tree.isOfCell(slot);
    }
  }

  /** Discards the last record. */
  public void clear() {
    textEnd = 0;
    openStart = 0;
    openRank = 0;
    failure = null;
    cellFailure = null;
    currentRecord++;
    shape.clear();
  }

  /** What surrounds an array of records: each of them has it, unless it has its own. */
  public static final class Surroundings {
    private final int[] starts;
    private final int[] ends;
    private final int[] ranks;
    private final boolean[] filled;
    private final int textEnd;
    private final @Nullable Failure failure;
    private final @Nullable Failure cellFailure;

    private Surroundings(RecordFields fields) {
      starts = fields.starts.clone();
      ends = fields.ends.clone();
      ranks = fields.ranks.clone();
      filled = new boolean[starts.length];
      for (int slot = 0; slot < filled.length; slot++) {
        filled[slot] = fields.has(slot);
      }
      textEnd = fields.textEnd;
      failure = fields.failure;
      cellFailure = fields.cellFailure;
    }
  }

  /** Returns what was collected so far, as the surroundings of the next records. */
  public Surroundings surroundings() {
    return new Surroundings(this);
  }

  /** Discards the last record, and keeps the texts of its surroundings for {@link #complete}. */
  public void clear(Surroundings around) {
    clear();
    textEnd = around.textEnd;
    openStart = textEnd;
  }

  /**
   * Adds to a record what it does not have itself. Of a {@linkplain PathTree#join whole} it adds
   * nothing if the record has a part: its user may stand at another path than the one around it.
   */
  public void complete(Surroundings around) {
    boolean isCellOwn = false;
    for (int slot = 0; slot < own.length; slot++) {
      own[slot] = has(slot);
      isCellOwn |= own[slot] && ofCell[slot];
    }
    for (int i = 0; i < wholes.size(); i++) {
      joinOwn(wholes.get(i));
    }
    for (int slot = 0; slot < around.filled.length; slot++) {
      if (around.filled[slot] && !own[slot]) {
        keep(slot, around.ranks[slot], around.starts[slot], around.ends[slot]);
      }
    }
    failure = failure == null ? around.failure : failure;
    if (cellFailure == null && !isCellOwn) {
      cellFailure = around.cellFailure;
    }
  }

  private void joinOwn(int[] whole) {
    boolean isOwn = false;
    for (int slot : whole) {
      isOwn |= has(slot);
    }
    if (isOwn) {
      for (int slot : whole) {
        own[slot] = true;
      }
    }
  }

  /** Returns the shape of the record, which the decoder fills. */
  public ShapeElements shape() {
    return shape;
  }

  /** Returns true if only positions use that slot, so that no value there rejects the record. */
  public boolean isLenient(int slot) {
    return !strict[slot] && !ofCell[slot];
  }

  /**
   * Records that a value cannot be read. That rejects the record, unless only positions or cells
   * use the slot. There it leaves an empty text, which no other value replaces, and a part of a
   * cell makes the cell unreadable.
   */
  public void unreadable(int slot, String what) {
    if (strict[slot]) {
      fail(RejectionReason.BAD_VALUE, slot, what);
      return;
    }
    if (ofCell[slot]) {
      failCell(RejectionReason.BAD_VALUE, slot, what);
    }
    keep(slot, Integer.MIN_VALUE, 0, 0);
  }

  /** Records that the record contains this node with content. */
  public void enter(PathNode node) {
    if (node.isError()) {
      fail(RejectionReason.NO_POSITION, node, "the network reports no position");
    }
    see(node);
  }

  /**
   * Records that the record names this node. A second occurrence makes the record ambiguous and
   * rejects it, unless the profile defines a choice. If only positions and cells use what is there,
   * it is unreadable instead.
   */
  public void see(PathNode node) {
    if (seenInRecord[node.id()] == currentRecord && node.choice() == null) {
      if (mayBeSpoilt(node)) {
        if (isOfCell(node)) {
          failCell(RejectionReason.BAD_VALUE, node.path(), FOUND_AGAIN);
        }
        spoil(node);
      } else {
        fail(RejectionReason.BAD_VALUE, node, FOUND_AGAIN);
      }
    }
    seenInRecord[node.id()] = currentRecord;
  }

  /** Returns true if nothing there is needed in every record. */
  private boolean mayBeSpoilt(PathNode node) {
    boolean mayBeSpoilt = !node.isError() && (!node.hasSlot() || !strict[node.slot()]);
    for (AttributeSlot attribute : node.attributes()) {
      mayBeSpoilt &= !strict[attribute.slot()];
    }
    for (PathNode child : node.children()) {
      mayBeSpoilt &= mayBeSpoilt(child);
    }
    return mayBeSpoilt;
  }

  /** Returns true if some part of a cell is there. */
  private boolean isOfCell(PathNode node) {
    boolean isOfCell = node.hasSlot() && ofCell[node.slot()];
    for (AttributeSlot attribute : node.attributes()) {
      isOfCell |= ofCell[attribute.slot()];
    }
    for (PathNode child : node.children()) {
      isOfCell |= isOfCell(child);
    }
    return isOfCell;
  }

  /** Makes all that is at a node unreadable. */
  private void spoil(PathNode node) {
    if (node.hasSlot()) {
      unreadable(node.slot(), FOUND_AGAIN);
    }
    for (AttributeSlot attribute : node.attributes()) {
      unreadable(attribute.slot(), FOUND_AGAIN);
    }
    for (int slot : node.arraySlots()) {
      unreadable(slot, FOUND_AGAIN);
    }
    if (node.isShape()) {
      shape.spoil();
    }
    for (PathNode child : node.children()) {
      spoil(child);
    }
  }

  /**
   * Starts a text that may arrive in pieces.
   *
   * @param rank rank of the text if the slot may be filled several times, 0 being the best
   */
  public void open(int rank) {
    openStart = textEnd;
    openRank = rank;
  }

  /** Adds a piece to the current text. */
  public void append(int slot, char[] source, int offset, int length) {
    int from = offset;
    int to = offset + length;
    if (textEnd == openStart) {
      while (from < to && isWhiteSpace(source[from])) {
        from++;
      }
    }
    int added = to - from;
    if (hasRoom(slot, added)) {
      System.arraycopy(source, from, text, textEnd, added);
      textEnd += added;
    }
  }

  /**
   * Makes room for that number of characters; records a failure and returns false if the text
   * becomes too long.
   */
  private boolean hasRoom(int slot, int added) {
    if (textEnd - openStart + added > maxTextLength) {
      unreadable(slot, LONGER_THAN_THE_LIMIT);
      return false;
    }
    if (textEnd + added > text.length) {
      text = Arrays.copyOf(text, Math.max(text.length * 2, textEnd + added));
    }
    return true;
  }

  /** Returns true if the current text contains anything but white space. */
  public boolean hasOpenText() {
    return textEnd > openStart;
  }

  /**
   * Ends the current text, and keeps it if it is not empty and better than the previous one. Of
   * equal ranks the first stays.
   */
  public void close(int slot) {
    while (textEnd > openStart && isWhiteSpace(text[textEnd - 1])) {
      textEnd--;
    }
    if (textEnd > openStart && (!has(slot) || openRank < ranks[slot])) {
      keep(slot, openRank, openStart, textEnd);
    } else {
      textEnd = openStart;
    }
    openStart = textEnd;
  }

  private void keep(int slot, int rank, int start, int end) {
    filledInRecord[slot] = currentRecord;
    starts[slot] = start;
    ends[slot] = end;
    ranks[slot] = rank;
  }

  private static boolean isWhiteSpace(char c) {
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
  }

  /** Stores a complete text. */
  public void set(int slot, char[] source, int offset, int length) {
    open(0);
    append(slot, source, offset, length);
    close(slot);
  }

  /** Stores a complete text, such as the value of an attribute. */
  public void set(int slot, String value) {
    char[] chars = value.toCharArray();
    set(slot, chars, 0, chars.length);
  }

  /** Returns true if the slot has a text. Only an unreadable value's text is empty. */
  public boolean has(int slot) {
    return slot != PathNode.NO_SLOT && filledInRecord[slot] == currentRecord;
  }

  /** Returns true if only positions or cells use the slot, and its value cannot be read. */
  public boolean isUnreadable(int slot) {
    return has(slot) && starts[slot] == ends[slot];
  }

  /** Returns the buffer with all texts; a slot's is from {@link #start} to before {@link #end}. */
  public char[] text() {
    return text;
  }

  /** Returns the path of a slot, for messages. */
  public String path(int slot) {
    return slotPaths[slot];
  }

  public int start(int slot) {
    return starts[slot];
  }

  public int end(int slot) {
    return ends[slot];
  }

  public void fail(RejectionReason reason, PathNode node, String what) {
    if (failure == null) {
      fail(reason, node.path(), what);
    }
  }

  public void fail(RejectionReason reason, int slot, String what) {
    fail(reason, slotPaths[slot], what);
  }

  /** Records an error of the record; the first one counts. */
  public void fail(RejectionReason reason, String path, String what) {
    if (failure == null) {
      failure = new Failure(reason, path, what);
    }
  }

  /** Records an error of the cell; the first one counts. */
  public void failCell(RejectionReason reason, int slot, String what) {
    failCell(reason, slotPaths[slot], what);
  }

  private void failCell(RejectionReason reason, String path, String what) {
    if (cellFailure == null) {
      cellFailure = new Failure(reason, path, what);
    }
  }

  /** Returns true if the record names a cell that cannot be read. */
  public boolean isCellUnreadable() {
    return cellFailure != null;
  }

  /** Makes the error of the cell, if there is one, an error of the record. */
  public void rejectUnreadableCell() {
    failure = failure == null ? cellFailure : failure;
  }

  /** Returns why the record must be rejected; null: no error so far. */
  public @Nullable RejectionReason failure() {
    return failure == null ? null : failure.reason();
  }

  /** Returns the path and the error; only valid if there is a {@link #failure()}. */
  public String failureDetail() {
    return failure == null ? "" : failure.path() + ": " + failure.problem();
  }
}
