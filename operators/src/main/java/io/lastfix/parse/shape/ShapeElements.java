package io.lastfix.parse.shape;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The elements inside one {@code shape} of MLP, as a decoder meets them. One instance is reused for
 * all records. A shape beyond the limits is {@linkplain #problem() unusable}; nothing more of it is
 * then kept, so that a hostile one takes bounded memory.
 */
public final class ShapeElements {
  /** Maximum number of {@code coord} elements, many times that of a location server's answer. */
  public static final int MAX_POINTS = 1_000;

  /** A coord has an X and a Y, and perhaps a Z; some elements are around them. */
  private static final int MAX_ELEMENTS = 5 * MAX_POINTS;

  private static final int MAX_DEPTH = 16;
  private static final int MAX_VALUE_LENGTH = 64;
  private static final int MAX_SYSTEM_LENGTH = 64;
  private static final int NO_TEXT = -1;
  private static final String FOUND_AGAIN = "expected once, found again";

  private ShapeTag[] tags = new ShapeTag[32];
  // The offset behind the last element inside each; texts are in one buffer.
  private int[] ends = new int[32];
  private int[] textStarts = new int[32];
  private int[] textEnds = new int[32];
  private char[] text = new char[128];
  private final int[] open = new int[MAX_DEPTH];
  private int depth;
  private int size;
  private int textSize;
  private int points;
  private boolean isGiven;
  private @Nullable String problem;

  /** Forgets the last record's shape. */
  public void clear() {
    isGiven = false;
  }

  /** Starts the shape of a record; a second one makes both unusable. */
  public void begin() {
    problem = isGiven ? FOUND_AGAIN : null;
    isGiven = true;
    depth = 0;
    size = 0;
    textSize = 0;
    points = 0;
  }

  /** Makes the record's shape unusable, since it might be another one. */
  public void spoil() {
    begin();
    fail(FOUND_AGAIN);
  }

  /** Returns true if the record has a shape. */
  public boolean isGiven() {
    return isGiven;
  }

  /** Starts an element. */
  public void start(String localName) {
    ShapeTag tag = ShapeTag.of(localName);
    points += tag == ShapeTag.COORD ? 1 : 0;
    if (points > MAX_POINTS) {
      fail("expected at most " + MAX_POINTS + " points");
    } else if (size == MAX_ELEMENTS) {
      fail("expected at most " + MAX_ELEMENTS + " elements");
    } else if (depth >= MAX_DEPTH) {
      fail("expected elements nested at most " + MAX_DEPTH + " deep");
    }
    if (problem == null && depth > 0 && tags[open[depth - 1]].hasText()) {
      fail("expected a text, found an element in it");
    }
    if (problem == null) {
      if (size == tags.length) {
        grow();
      }
      tags[size] = tag;
      textStarts[size] = NO_TEXT;
      ends[size] = size + 1;
      open[depth] = size;
      size++;
    }
    depth++;
  }

  private void grow() {
    int length = Math.min(MAX_ELEMENTS, 2 * size);
    tags = Arrays.copyOf(tags, length);
    ends = Arrays.copyOf(ends, length);
    textStarts = Arrays.copyOf(textStarts, length);
    textEnds = Arrays.copyOf(textEnds, length);
  }

  /**
   * Notes the coordinate system of the element that was started last.
   *
   * @param srsName WGS 84 is EPSG 4326; another one makes the shape unusable
   */
  public void system(String srsName) {
    if (!isWgs84(srsName)) {
      fail("expected coordinates of WGS 84 (EPSG 4326), found the system " + shown(srsName));
    }
  }

  /** MLP's own form is {@code www.epsg.org#4326}; others are {@code EPSG:4326} and URNs. */
  private static boolean isWgs84(String srsName) {
    String name = srsName.strip();
    if (!name.endsWith("4326")) {
      return false;
    }
    int before = name.length() - "4326".length() - 1;
    return before < 0 || !Character.isLetterOrDigit(name.charAt(before));
  }

  /** Returns a name that cannot hold anything but a name. */
  private static String shown(String srsName) {
    String name = srsName.strip();
    String start = name.substring(0, Math.min(name.length(), MAX_SYSTEM_LENGTH));
    return "'" + start.replaceAll("[^A-Za-z0-9:/#._-]", "?") + "'";
  }

  /** Adds a piece to the text of the open element. */
  public void text(char[] source, int from, int length) {
    if (problem == null && depth > 0 && tags[open[depth - 1]].hasText()) {
      for (int i = from; i < from + length; i++) {
        add(source[i]);
      }
    }
  }

  /** Adds a character; of white space, one blank between others. */
  private void add(char c) {
    int element = open[depth - 1];
    boolean isBlank = c <= ' ';
    boolean isFirst = textStarts[element] == NO_TEXT;
    if (problem != null || (isBlank && (isFirst || text[textSize - 1] == ' '))) {
      return;
    }
    if (isFirst) {
      textStarts[element] = textSize;
    }
    if (!isBlank && textSize - textStarts[element] >= MAX_VALUE_LENGTH) {
      fail("expected values of at most " + MAX_VALUE_LENGTH + " characters");
      return;
    }
    if (textSize == text.length) {
      text = Arrays.copyOf(text, 2 * text.length);
    }
    text[textSize] = isBlank ? ' ' : c;
    textSize++;
    textEnds[element] = textSize;
  }

  /** Ends the element that was started last. */
  public void end() {
    depth--;
    if (problem == null) {
      ends[open[depth]] = size;
    }
  }

  private void fail(String what) {
    if (problem == null) {
      problem = what;
    }
  }

  /** Returns why the shape cannot be used; null if nothing is known against it. */
  @Nullable String problem() {
    return problem;
  }

  /** Returns the number of elements, in the order of their start tags. */
  int size() {
    return size;
  }

  ShapeTag tag(int element) {
    return tags[element];
  }

  /** Returns the number of the first element that is not inside this one. */
  int end(int element) {
    return ends[element];
  }

  /** Returns the buffer of all texts. */
  char[] texts() {
    return text;
  }

  /** Returns the start of an element's text; {@link #add} keeps no white space in front of it. */
  int textStart(int element) {
    return Math.max(0, textStarts[element]);
  }

  /** Returns the end of an element's text without the blank after it; the start if it has none. */
  int textEnd(int element) {
    int end = textStarts[element] == NO_TEXT ? 0 : textEnds[element];
    return end > 0 && text[end - 1] == ' ' ? end - 1 : end;
  }
}
