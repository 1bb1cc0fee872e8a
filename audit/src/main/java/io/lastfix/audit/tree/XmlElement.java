package io.lastfix.audit.tree;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;

/** An element that is a record or an expected part of one. Namespaces do not matter. */
final class XmlElement implements TreeValue, RecordTree {
  private final String name;
  private final Expected expected;
  private final Map<String, String> attributes;
  private final List<XmlElement> children = new ArrayList<>(2);
  private final StringBuilder text = new StringBuilder(0);

  /** Whether there is an element inside where a text is expected, or after one. */
  private boolean isNoText;

  XmlElement(String name, Expected expected, Attributes given) {
    this.name = name;
    this.expected = expected;
    this.attributes = expected.attributes().isEmpty() ? Map.of() : new HashMap<>(2);
    for (int i = 0; i < given.getLength() && !expected.attributes().isEmpty(); i++) {
      String attribute = given.getQName(i);
      if (!attribute.startsWith("xmlns") && expected.attributes().contains(localName(attribute))) {
        attributes.putIfAbsent(localName(attribute), given.getValue(i));
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
    isNoText |= !text.toString().trim().isEmpty();
    XmlElement element = new XmlElement(child, inside, given);
    children.add(element);
    return element;
  }

  /** Adds to the element's own text, without that of its children. */
  void add(char[] characters, int start, int length) {
    text.append(characters, start, length);
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
    return attribute == null ? text.toString() : attributes.getOrDefault(attribute, "");
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
