package io.lastfix.audit.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The elements inside a record's {@code shape}, as a tree. Beyond the limits it has a {@link
 * #problem} and grows no more.
 */
final class ShapeTree {
  /** The elements whose text is a value; no other text is kept. */
  private static final Set<String> VALUES =
      Set.of(
          "X",
          "Y",
          "radius",
          "inRadius",
          "outRadius",
          "startAngle",
          "stopAngle",
          "angle",
          "semiMajor",
          "semiMinor",
          "angularUnit",
          "distanceUnit");

  private static final int MAX_POINTS = 1_000;
  private static final int MAX_ELEMENTS = 5_000;
  private static final int MAX_DEPTH = 16;
  private static final int MAX_VALUE_LENGTH = 64;
  private static final String WGS84 = "4326";

  private final Element root = new Element("shape");

  /** The open elements, the innermost first; the shape itself is the last. */
  private final Deque<Element> open = new ArrayDeque<>(List.of(root));

  private int elements;
  private int points;
  private @Nullable String problem;

  /** An element, by its name without a prefix. */
  static final class Element {
    private final String name;
    private final List<Element> children = new ArrayList<>(2);
    private final StringBuilder text = new StringBuilder(0);

    private Element(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    List<Element> children() {
      return children;
    }

    /** Its text, with one blank for each white space inside it and none around it. */
    String text() {
      int last = text.length() - 1;
      return last >= 0 && text.charAt(last) == ' ' ? text.substring(0, last) : text.toString();
    }

    private void add(char c) {
      if (c > ' ') {
        text.append(c);
      } else if (!text.isEmpty() && text.charAt(text.length() - 1) != ' ') {
        text.append(' ');
      }
    }
  }

  /** The shape itself, whose children are what stands in it. */
  Element root() {
    return root;
  }

  /** Why nothing of the shape can be used; null if nothing is known against it. */
  @Nullable String problem() {
    return problem;
  }

  /** Marks it as unusable. */
  void fail(String what) {
    problem = problem == null ? what : problem;
  }

  /** Starts an element. */
  void start(String name) {
    elements++;
    points += name.equals("coord") ? 1 : 0;
    Element parent = open.element();
    if (elements > MAX_ELEMENTS || points > MAX_POINTS || open.size() > MAX_DEPTH) {
      fail("too many points, or elements in each other");
    } else if (VALUES.contains(parent.name)) {
      fail("an element inside a value");
    }
    Element element = new Element(name);
    if (problem == null) {
      parent.children.add(element);
    }
    open.push(element);
  }

  /** Notes the coordinate system that an element names. */
  void system(String srsName) {
    String name = srsName.strip();
    String before = name.endsWith(WGS84) ? name.substring(0, name.length() - 4) : "0";
    if (!before.isEmpty() && Character.isLetterOrDigit(before.charAt(before.length() - 1))) {
      fail("another coordinate system than EPSG 4326");
    }
  }

  /** Adds a piece to the text of the innermost element. */
  void text(char[] characters, int start, int length) {
    Element element = open.element();
    if (!VALUES.contains(element.name)) {
      return;
    }
    for (int i = start; i < start + length && problem == null; i++) {
      element.add(characters[i]);
      if (characters[i] > ' ' && element.text.length() > MAX_VALUE_LENGTH) {
        fail("a value of more than " + MAX_VALUE_LENGTH + " characters");
      }
    }
  }

  /** Ends the innermost element; returns false if that is the shape itself. */
  boolean end() {
    if (open.size() == 1) {
      return false;
    }
    open.pop();
    return true;
  }
}
