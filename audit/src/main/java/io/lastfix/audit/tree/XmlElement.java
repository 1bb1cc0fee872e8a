package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;

/** An element that is a record or an expected part of one. Namespaces do not matter. */
final class XmlElement implements TreeValue, RecordTree {
  /** Between two values of an attribute with different prefixes; no XML has this character. */
  static final char SEPARATOR = '\0';

  private static final int MAX_ELEMENTS_OF_A_SHAPE = 5_000;
  private static final int MAX_DEPTH_OF_A_SHAPE = 16;

  /** More than a value of a shape may have, so that the reader sees that it is longer. */
  private static final int KEPT_OF_A_VALUE = 66;

  private final String name;
  private final Expected expected;

  /** The shape that this is part of, or is; null outside of one. */
  private final @Nullable XmlElement shape;

  private final int depthInShape;
  private Map<String, String> attributes = Map.of();
  private List<XmlElement> children = List.of();
  private @Nullable StringBuilder text;
  private boolean hasText;

  /** Whether there is an element inside where a text is expected, or after one. */
  private boolean isNoText;

  /** Of a shape: the elements inside, and whether it has more than are kept. */
  private int elements;

  private boolean isCut;

  /**
   * @param parent null: the element is a record
   */
  XmlElement(String name, Expected expected, Attributes given, @Nullable XmlElement parent) {
    this.name = name;
    this.expected = expected;
    if (parent != null && parent.shape != null) {
      shape = parent.shape;
      depthInShape = parent.depthInShape + 1;
    } else {
      shape = expected.isWhole() ? this : null;
      depthInShape = 0;
    }
    for (int i = 0; i < given.getLength() && !expected.attributes().isEmpty(); i++) {
      String attribute = given.getQName(i);
      if (!attribute.startsWith("xmlns") && expected.attributes().contains(localName(attribute))) {
        attributes = attributes.isEmpty() ? new HashMap<>(2) : attributes;
        // Of a shape each one counts.
        attributes.merge(
            localName(attribute),
            given.getValue(i),
            (first, next) -> shape == null ? first : first + SEPARATOR + next);
      }
    }
  }

  /** The name without its prefix. */
  static String localName(String name) {
    return name.substring(name.indexOf(':') + 1);
  }

  String name() {
    return name;
  }

  List<XmlElement> children() {
    return children;
  }

  /**
   * Returns whether this shape has more elements, or elements deeper in each other, than may be.
   */
  boolean isCut() {
    return isCut;
  }

  /** The value of an attribute; null if it is absent. */
  @Nullable String attribute(String attribute) {
    return attributes.get(attribute);
  }

  /** Adds an element inside; returns null if it is not expected, and is therefore not kept. */
  @Nullable XmlElement add(String child, Attributes given) {
    Expected inside = expected.inside(child);
    if (inside == null) {
      isNoText |= !expected.hasMembers();
      return null;
    }
    isNoText |= hasText;
    if (shape != null
        && (++shape.elements > MAX_ELEMENTS_OF_A_SHAPE || depthInShape >= MAX_DEPTH_OF_A_SHAPE)) {
      shape.isCut = true;
      return null;
    }
    XmlElement element = new XmlElement(child, inside, given, this);
    children = children.isEmpty() ? new ArrayList<>(2) : children;
    children.add(element);
    return element;
  }

  /**
   * Adds to the element's own text, without that of its children. In a shape, one blank stands for
   * each white space, and little of a text that is no value is kept.
   */
  void add(char[] characters, int start, int length) {
    StringBuilder kept = text == null ? new StringBuilder(shape == null ? length : 0) : text;
    for (int i = start; i < start + length; i++) {
      char c = characters[i];
      hasText |= c > ' ';
      if (shape == null) {
        kept.append(c);
      } else if (kept.length() < KEPT_OF_A_VALUE
          && (c > ' ' || (!kept.isEmpty() && kept.charAt(kept.length() - 1) != ' '))) {
        kept.append(c > ' ' ? c : ' ');
      }
    }
    text = kept;
  }

  @Override
  public TreeValue start(FieldPath path) {
    return this;
  }

  @Override
  public List<XmlElement> named(String child) {
    return children.stream().filter(element -> element.name.equals(child)).toList();
  }

  @Override
  public String content(@Nullable String attribute) {
    return attribute == null
        ? Objects.requireNonNullElse(text, "").toString()
        : attributes.getOrDefault(attribute, "");
  }

  @Override
  public boolean isNoText(@Nullable String attribute) {
    return attribute == null && isNoText;
  }

  @Override
  public int rank(TypeChoice choice) {
    String type = attributes.get(choice.attribute());
    String effective = type == null ? choice.defaultType() : type.trim();
    int rank = choice.preferred().indexOf(effective);
    return rank < 0 ? choice.preferred().size() : rank;
  }
}
