package io.lastfix.parse.fast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.TypeChoice;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.PathNode.AttributeSlot;
import io.lastfix.parse.reader.RecordFields;
import io.lastfix.parse.reader.XmlEncoding;
import io.lastfix.parse.reader.XmlNames;
import io.lastfix.parse.shape.ShapeElements;
import java.util.Arrays;

/**
 * Reads records of plain XML: ASCII elements, attributes and texts without prefixes, references,
 * comments, CDATA sections and carriage returns. Aalto reads everything else, so the records are
 * the same as with Aalto alone.
 *
 * <p>What it saves: 0.5 to 0.8 µs of a record of {@code arcanum}, which is 1 to 2 % of the 46.8 µs
 * of CPU time that the record takes in Flink, Kafka and MongoDB together. The decoder takes 0.61
 * µs, and 1.08 µs (50 records a message) to 1.44 µs (one) with {@code parse.fast: false}. Aalto
 * alone, which reads the same bytes without building records, takes 0.66 to 0.81 µs. Commit
 * f26d92e, {@code lastfix bench --records 1000000 --rounds 2 --seconds 3}; the times with {@code
 * parse.fast: false} are of one round of {@code XmlDecoderBenchmark.decoderByAalto} on 2026-11-23.
 */
public final class PlainXml {
  /** The result of {@link #nextRecord}. */
  public enum Found {
    /** A record; its fields are collected. */
    RECORD,
    /** The end of a message that is entirely plain. */
    END,
    /** Content that is not plain; it may still be valid XML. */
    NOT_PLAIN
  }

  private static final byte[] NOTHING = {};
  private static final int NOT_GIVEN = -1;
  private static final int MAX_DEPTH = 64;
  private static final int MAX_ATTRIBUTES = 8;
  private static final int NAMES_REMEMBERED = 64;

  private static final byte IN_NAME = 1;
  private static final byte STARTS_NAME = 2;
  private static final byte IN_TEXT = 4;
  private static final byte IN_ATTRIBUTE = 8;
  private static final byte BLANK = 16;

  /** The classes of each ASCII byte: in which parts of XML it may occur. */
  private static final byte[] CLASSES = classes();

  private final PathNode recordNode;
  private final byte[][] recordNames;
  private final RecordFields fields;
  private final int maxUnknownNames;

  private byte[] content = NOTHING;
  private int at;

  // The open elements, by the offsets of their names.
  private final int[] openNames;
  private final int[] openNameEnds;
  private int depth;
  private boolean hasRoot;

  // The last start tag read.
  private int name;
  private int nameEnd;
  private boolean isEmpty;
  private int attributes;
  private final int[] attributeNames = new int[MAX_ATTRIBUTES];
  private final int[] attributeNameEnds = new int[MAX_ATTRIBUTES];
  private final int[] attributeValues = new int[MAX_ATTRIBUTES];
  private final int[] attributeValueEnds = new int[MAX_ATTRIBUTES];

  // Offsets of some names that no path contains, by hash. The reader keeps no copy of names.
  private final int[] rememberedNames = new int[NAMES_REMEMBERED];
  private final int[] rememberedNameEnds = new int[NAMES_REMEMBERED];
  private int unknownNames;

  /**
   * Creates a reader for one decoder.
   *
   * @param pathNames maximum number of names in the profile's paths
   */
  public PlainXml(
      Profile profile, PathNode recordNode, RecordFields fields, int maxDepth, int pathNames) {
    this.recordNode = recordNode;
    this.recordNames =
        profile.record().stream().map(name -> name.getBytes(US_ASCII)).toArray(byte[][]::new);
    this.fields = fields;
    this.maxUnknownNames = XmlNames.MAX_IN_MESSAGE - pathNames - recordNames.length;
    this.openNames = new int[Math.min(maxDepth, MAX_DEPTH)];
    this.openNameEnds = new int[openNames.length];
  }

  private static byte[] classes() {
    byte[] classes = new byte[Byte.MAX_VALUE + 1];
    for (int c = ' '; c < Byte.MAX_VALUE; c++) {
      classes[c] = IN_TEXT | IN_ATTRIBUTE;
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') {
        classes[c] |= IN_NAME | STARTS_NAME;
      } else if ((c >= '0' && c <= '9') || c == '-' || c == '.') {
        classes[c] |= IN_NAME;
      }
    }
    classes['<'] = 0;
    classes['&'] = 0;
    // It may start ]]>, which a text must not contain.
    classes[']'] &= ~IN_TEXT;
    classes['"'] &= ~IN_ATTRIBUTE;
    classes[' '] |= BLANK;
    // In an attribute, XML replaces these with a blank.
    classes['\n'] = IN_TEXT | BLANK;
    classes['\t'] = IN_TEXT | BLANK;
    return classes;
  }

  /** Starts a message. */
  public void start(byte[] message) {
    content = message;
    at = XmlEncoding.endOfUsualDeclaration(message);
    depth = 0;
    hasRoot = false;
    unknownNames = 0;
    Arrays.fill(rememberedNameEnds, 0);
  }

  /** Releases the message, which may be long. */
  public void end() {
    content = NOTHING;
  }

  /** Reads to the end of the next record. */
  public Found nextRecord() {
    while (true) {
      at = depth > 0 ? end(at, IN_TEXT) : end(at, BLANK);
      if (at == content.length && depth == 0 && hasRoot) {
        return Found.END;
      }
      if (byteAt(at) != '<' || (depth == 0 && hasRoot)) {
        return Found.NOT_PLAIN;
      }
      if (byteAt(at + 1) == '/') {
        if (!readEndTag()) {
          return Found.NOT_PLAIN;
        }
      } else {
        if (!readStartTag()) {
          return Found.NOT_PLAIN;
        }
        hasRoot = true;
        if (isRecord()) {
          return readRecord() ? Found.RECORD : Found.NOT_PLAIN;
        }
        if (!hasFewNames()) {
          return Found.NOT_PLAIN;
        }
      }
    }
  }

  /** Reads from the end of a record's start tag to the record's end; false if it is not plain. */
  private boolean readRecord() {
    fields.clear();
    readAttributes(recordNode);
    if (isEmpty) {
      return true;
    }
    PathNode node = recordNode;
    // Elements outside all paths are skipped with their content.
    int skippedDepth = 0;
    while (true) {
      at = end(at, IN_TEXT);
      if (byteAt(at) != '<') {
        return false;
      }
      if (byteAt(at + 1) == '/') {
        if (!readEndTag()) {
          return false;
        }
        if (skippedDepth > 0) {
          skippedDepth--;
        } else {
          PathNode parent = node.parent();
          if (parent == null) {
            return true;
          }
          node = parent;
        }
      } else {
        if (!readStartTag()) {
          return false;
        }
        PathNode child = skippedDepth > 0 ? null : node.child(content, name, content[nameEnd]);
        if (child == null) {
          if (isRecord() || !hasFewNames()) {
            return false;
          }
          skippedDepth += isEmpty ? 0 : 1;
        } else if (child.isShape()) {
          fields.enter(child);
          readAttributes(child);
          if (!readShape()) {
            return false;
          }
        } else if (child.hasSlot()) {
          if (!readField(child)) {
            return false;
          }
        } else {
          fields.enter(child);
          readAttributes(child);
          node = isEmpty ? node : child;
        }
      }
    }
  }

  /** Reads from the end of a field's start tag to the element's end; false if it is not plain. */
  private boolean readField(PathNode node) {
    fields.enter(node);
    readAttributes(node);
    int rank = node.choice() == null ? 0 : rank(node.choice());
    int text = at;
    at = isEmpty ? at : end(at, IN_TEXT);
    fields.setAscii(node.slot(), rank, content, text, at);
    return isEmpty || (byteAt(at) == '<' && byteAt(at + 1) == '/' && readEndTag());
  }

  /** Reads from the end of a shape's start tag to the shape's end; false if it is not plain. */
  private boolean readShape() {
    ShapeElements shape = fields.shape();
    shape.begin();
    int open = isEmpty ? 0 : 1;
    while (open > 0) {
      int text = at;
      at = end(at, IN_TEXT);
      shape.text(content, text, at);
      if (byteAt(at) != '<') {
        return false;
      }
      if (byteAt(at + 1) == '/') {
        if (!readEndTag()) {
          return false;
        }
        open--;
        if (open > 0) {
          shape.end();
        }
      } else {
        if (!readStartTag() || isRecord() || !hasFewNames()) {
          return false;
        }
        shape.start(content, name, nameEnd);
        int system = attribute("srsName");
        if (system != NOT_GIVEN) {
          shape.system(value(system));
        }
        if (isEmpty) {
          shape.end();
        } else {
          open++;
        }
      }
    }
    return true;
  }

  private void readAttributes(PathNode node) {
    for (AttributeSlot slot : node.attributes()) {
      int attribute = attribute(slot.name());
      if (attribute != NOT_GIVEN) {
        fields.setAscii(
            slot.slot(), 0, content, attributeValues[attribute], attributeValueEnds[attribute]);
      }
    }
  }

  private int rank(TypeChoice choice) {
    int attribute = attribute(choice.attribute());
    return choice.rank(attribute == NOT_GIVEN ? null : value(attribute).trim());
  }

  private String value(int attribute) {
    int from = attributeValues[attribute];
    return new String(content, from, attributeValueEnds[attribute] - from, US_ASCII);
  }

  /** Returns the index of the attribute of that name, or {@link #NOT_GIVEN}. */
  private int attribute(String wanted) {
    for (int i = 0; i < attributes; i++) {
      int from = attributeNames[i];
      if (wanted.length() == attributeNameEnds[i] - from && isAt(wanted, from)) {
        return i;
      }
    }
    return NOT_GIVEN;
  }

  private boolean isAt(String wanted, int from) {
    for (int i = 0; i < wanted.length(); i++) {
      if (wanted.charAt(i) != content[from + i]) {
        return false;
      }
    }
    return true;
  }

  private boolean isRecord() {
    for (byte[] recordName : recordNames) {
      if (Arrays.equals(recordName, 0, recordName.length, content, name, nameEnd)) {
        return true;
      }
    }
    return false;
  }

  /** Reads the start tag at the current offset; false if it is not plain. */
  private boolean readStartTag() {
    if (depth == openNames.length || !startsName(at + 1)) {
      return false;
    }
    name = at + 1;
    nameEnd = end(name, IN_NAME);
    at = nameEnd;
    attributes = 0;
    while (byteAt(at) == ' ') {
      at = end(at, BLANK);
      if (startsName(at) && !readAttribute()) {
        return false;
      }
    }
    isEmpty = byteAt(at) == '/';
    at += isEmpty ? 1 : 0;
    if (byteAt(at) != '>') {
      return false;
    }
    at++;
    if (!isEmpty) {
      openNames[depth] = name;
      openNameEnds[depth] = nameEnd;
      depth++;
    }
    return true;
  }

  private boolean readAttribute() {
    int end = end(at, IN_NAME);
    int value = end + 2;
    // A name that starts with xmlns declares a namespace.
    if (attributes == MAX_ATTRIBUTES
        || content[at] == 'x'
        || byteAt(end) != '='
        || byteAt(end + 1) != '"'
        || isAttributeGiven(at, end)
        || !hasFewNames(at, end)) {
      return false;
    }
    int valueEnd = end(value, IN_ATTRIBUTE);
    attributeNames[attributes] = at;
    attributeNameEnds[attributes] = end;
    attributeValues[attributes] = value;
    attributeValueEnds[attributes] = valueEnd;
    attributes++;
    at = valueEnd + 1;
    return byteAt(valueEnd) == '"';
  }

  private boolean isAttributeGiven(int from, int to) {
    for (int i = 0; i < attributes; i++) {
      if (isSame(attributeNames[i], attributeNameEnds[i], from, to)) {
        return true;
      }
    }
    return false;
  }

  /** Reads the end tag at the current offset; false if it is not plain, or of another element. */
  private boolean readEndTag() {
    if (depth == 0) {
      return false;
    }
    depth--;
    int from = openNames[depth];
    int end = at + 2 + openNameEnds[depth] - from;
    if (byteAt(end) != '>' || !isSame(from, openNameEnds[depth], at + 2, end)) {
      return false;
    }
    at = end + 1;
    return true;
  }

  private boolean hasFewNames() {
    return hasFewNames(name, nameEnd);
  }

  /**
   * Counts a name that no path contains, unless it is a remembered one.
   *
   * @return true if the message is within the limit of different names so far; may be false early,
   *     since it counts some names twice
   */
  private boolean hasFewNames(int from, int to) {
    int place = (content[from] * 31 + content[to - 1] * 7 + to - from) & (NAMES_REMEMBERED - 1);
    if (!isSame(rememberedNames[place], rememberedNameEnds[place], from, to)) {
      rememberedNames[place] = from;
      rememberedNameEnds[place] = to;
      unknownNames++;
    }
    return unknownNames <= maxUnknownNames;
  }

  private boolean isSame(int from, int to, int otherFrom, int otherTo) {
    if (to - from != otherTo - otherFrom) {
      return false;
    }
    for (int i = 0; i < to - from; i++) {
      if (content[from + i] != content[otherFrom + i]) {
        return false;
      }
    }
    return true;
  }

  private boolean startsName(int place) {
    byte b = byteAt(place);
    return b > 0 && (CLASSES[b] & STARTS_NAME) != 0;
  }

  /** Returns the offset of the next byte that is not of that class. */
  private int end(int from, byte characters) {
    byte[] bytes = content;
    int place = from;
    while (place < bytes.length && bytes[place] >= 0 && (CLASSES[bytes[place]] & characters) != 0) {
      place++;
    }
    return place;
  }

  /** Returns the byte at an offset; 0 after the end, since XML contains no such byte. */
  private byte byteAt(int place) {
    return place < content.length ? content[place] : 0;
  }
}
