package io.lastfix.parse.reader;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Decimals;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The texts and whole numbers of one record's fields, by slot, as a decoder collects them, and the
 * first thing found wrong with the record. One instance serves all records of a decoder, so that
 * nothing is allocated for a field.
 *
 * <p>Texts stand one after the other in one buffer. White space around a text, which is what XML
 * and JSON both take for it, is not part of it; other control characters are, or a user with a NUL
 * would become another user.
 */
public final class RecordFields {
  private static final String LONGER_THAN_THE_LIMIT = "longer than the limit of characters";

  /** A slot's start where it has a number that nobody has asked for as a text so far. */
  private static final int NUMBER = -1;

  private final String[] slotPaths;
  private final int maxTextLength;
  private final int[] starts;
  private final int[] ends;
  private final int[] ranks;

  /** What stands in a slot whose start is {@link #NUMBER}. */
  private final long[] numbers;

  /** The number of the record that each slot was filled in last, and each node seen in last. */
  private final long[] filledInRecord;

  private final long[] seenInRecord;
  private long currentRecord;
  private char[] text = new char[512];
  private int textEnd;
  private int openStart;
  private int openRank;
  private @Nullable RejectionReason failure;
  private String failedPath = "";
  private String problem = "";

  public RecordFields(PathTree tree, int maxTextLength) {
    this.slotPaths = tree.slotPaths();
    this.maxTextLength = maxTextLength;
    this.starts = new int[slotPaths.length];
    this.ends = new int[slotPaths.length];
    this.ranks = new int[slotPaths.length];
    this.numbers = new long[slotPaths.length];
    this.filledInRecord = new long[slotPaths.length];
    this.seenInRecord = new long[tree.nodes()];
  }

  /** Forgets the last record. */
  public void clear() {
    textEnd = 0;
    openStart = 0;
    openRank = 0;
    failure = null;
    currentRecord++;
  }

  /** Notes that the record has this node, with something in it. */
  public void enter(PathNode node) {
    if (node.isError()) {
      fail(RejectionReason.NO_POSITION, node, "the network reports no position");
    }
    see(node);
  }

  /**
   * Notes that the record names this node. A second one makes the record ambiguous, so it is
   * rejected, unless the profile says how to choose.
   */
  public void see(PathNode node) {
    if (seenInRecord[node.id()] == currentRecord && node.choice() == null) {
      fail(RejectionReason.BAD_VALUE, node, "expected once, found again");
    }
    seenInRecord[node.id()] = currentRecord;
  }

  /**
   * Starts a text that may come in pieces.
   *
   * @param rank how good it is where the slot may be given several times, 0 being the best
   */
  public void open(int rank) {
    openStart = textEnd;
    openRank = rank;
  }

  /** Adds a piece to the text that was opened last. */
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

  /** Makes room for so many more characters; false, and a failure, where they are too many. */
  private boolean hasRoom(int slot, int added) {
    if (textEnd - openStart + added > maxTextLength) {
      fail(RejectionReason.BAD_VALUE, slot, LONGER_THAN_THE_LIMIT);
      return false;
    }
    ensureRoom(added);
    return true;
  }

  private void ensureRoom(int added) {
    if (textEnd + added > text.length) {
      text = Arrays.copyOf(text, Math.max(text.length * 2, textEnd + added));
    }
  }

  /** Whether the text that was opened last has anything but white space. */
  public boolean hasOpenText() {
    return textEnd > openStart;
  }

  /**
   * Ends the text that was opened last and keeps it if it is not empty and better than the one
   * before; of equals the first stays.
   */
  public void close(int slot) {
    while (textEnd > openStart && isWhiteSpace(text[textEnd - 1])) {
      textEnd--;
    }
    if (textEnd > openStart && isBetter(slot, openRank)) {
      keep(slot, openRank, openStart, textEnd);
    } else {
      textEnd = openStart;
    }
    openStart = textEnd;
  }

  private boolean isBetter(int slot, int rank) {
    return !has(slot) || rank < ranks[slot];
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

  /** Keeps a text that comes whole. */
  public void set(int slot, char[] source, int offset, int length) {
    open(0);
    append(slot, source, offset, length);
    close(slot);
  }

  /**
   * Keeps a text that comes whole, as bytes of ASCII.
   *
   * @param rank as for {@link #open}
   */
  public void setAscii(int slot, int rank, byte[] source, int start, int end) {
    int from = start;
    while (from < end && isWhiteSpace((char) source[from])) {
      from++;
    }
    if (!hasRoom(slot, end - from)) {
      return;
    }
    int to = end;
    while (to > from && isWhiteSpace((char) source[to - 1])) {
      to--;
    }
    if (to > from && isBetter(slot, rank)) {
      char[] target = text;
      int at = textEnd;
      keep(slot, rank, at, at + to - from);
      for (int i = from; i < to; i++) {
        target[at++] = (char) source[i];
      }
      textEnd = at;
      openStart = at;
    }
  }

  /**
   * Keeps a whole number of at most {@link Decimals#MAX_DIGITS} digits, no zeros leading.
   *
   * @param digits how many the number has
   */
  public void setNumber(int slot, long number, int digits) {
    if (digits > maxTextLength) {
      fail(RejectionReason.BAD_VALUE, slot, LONGER_THAN_THE_LIMIT);
    } else if (isBetter(slot, 0)) {
      keep(slot, 0, NUMBER, NUMBER);
      numbers[slot] = number;
    }
  }

  /** Keeps a text that comes whole, as an attribute's does. */
  public void set(int slot, String value) {
    char[] chars = value.toCharArray();
    set(slot, chars, 0, chars.length);
  }

  /** Whether the slot has a text that is not empty, or a number. */
  public boolean has(int slot) {
    return slot != PathNode.NO_SLOT && filledInRecord[slot] == currentRecord;
  }

  /** Whether what the slot has came as a number, and was not asked for as a text since. */
  public boolean isNumber(int slot) {
    return starts[slot] == NUMBER;
  }

  /** Only where it {@linkplain #isNumber is one}. */
  public long number(int slot) {
    return numbers[slot];
  }

  /**
   * Where the slot's text stands, from {@link #start} to before {@link #end}, which are to be asked
   * for after this.
   */
  public char[] text(int slot) {
    if (isNumber(slot)) {
      spell(slot);
    }
    return text;
  }

  /** Makes a text of a number. */
  private void spell(int slot) {
    ensureRoom(Decimals.MAX_DIGITS);
    int digits = 0;
    long left = numbers[slot];
    do {
      left /= 10;
      digits++;
    } while (left > 0);
    int end = textEnd + digits;
    long number = numbers[slot];
    for (int at = end - 1; at >= textEnd; at--) {
      text[at] = (char) ('0' + number % 10);
      number /= 10;
    }
    starts[slot] = textEnd;
    ends[slot] = end;
    textEnd = end;
    openStart = end;
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

  /** Notes what is wrong with the record; the first thing noted counts. */
  public void fail(RejectionReason reason, String path, String what) {
    if (failure == null) {
      failure = reason;
      failedPath = path;
      problem = what;
    }
  }

  /** Why the record is to be rejected; null: nothing is wrong so far. */
  public @Nullable RejectionReason failure() {
    return failure;
  }

  /** The path and what is wrong there. Only where there is a {@link #failure()}. */
  public String failureDetail() {
    return failedPath + ": " + problem;
  }
}
