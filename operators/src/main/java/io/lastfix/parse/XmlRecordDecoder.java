package io.lastfix.parse;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.fast.PlainXml;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.TypeChoice;
import io.lastfix.parse.reader.MalformedMessageException;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.PathNode.AttributeSlot;
import io.lastfix.parse.reader.XmlEncoding;
import io.lastfix.parse.reader.XmlNames;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.codehaus.stax2.io.Stax2ByteArraySource;
import org.jspecify.annotations.Nullable;

/**
 * Decodes XML: what is {@linkplain PlainXml plain} byte by byte, all else with Aalto's stream
 * reader. Elements and attributes go by their local names: prefixes and namespaces do not matter. A
 * document type declaration ends the message before anything in it is read, so no entity is ever
 * expanded but the five of XML itself. A message with more different names than {@link
 * XmlNames#MAX_IN_MESSAGE} ends there.
 */
final class XmlRecordDecoder extends MessageDecoder {
  /** The fewest bytes that an attribute and the space before it take. */
  private static final int MIN_ATTRIBUTE_BYTES = 5;

  private final XmlNames names = new XmlNames();
  private InputFactoryImpl factory = newFactory();
  private final String[] recordNames;
  private final String nameOfRecord;
  private final PlainXml plainXml;
  private int depth;

  XmlRecordDecoder(
      Profile profile,
      DecoderLimits limits,
      TimestampLimits timestampLimits,
      PartitionAdmission admission,
      RecordClock clock,
      boolean fast) {
    super(profile, limits, timestampLimits, admission, clock, fast);
    recordNames = profile.record().toArray(String[]::new);
    nameOfRecord = String.join(" or ", profile.record());
    plainXml = new PlainXml(profile, recordNode, fields, limits.maxNestingDepth(), pathNames());
  }

  private static InputFactoryImpl newFactory() {
    InputFactoryImpl factory = new InputFactoryImpl();
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    // Left as they stand, references to entities show up as events, which end the message.
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  /** Where readers come from, and what keeps the names that they met. */
  InputFactoryImpl factory() {
    return factory;
  }

  @Override
  String nameOfRecord() {
    return nameOfRecord;
  }

  @Override
  void decodeRecords(byte[] message) throws MalformedMessageException {
    byte[] content = XmlEncoding.toUtf8(message);
    checkAttributes(content);
    if (isFast() && isReadAsPlain(content)) {
      return;
    }
    int alreadyRead = outcome.foundSoFar();
    if (names.areTooMany()) {
      names.clear();
      factory = newFactory();
    }
    names.startMessage();
    XMLStreamReader2 reader = open(content);
    depth = 0;
    int event = next(reader);
    while (event != XMLStreamConstants.END_DOCUMENT) {
      if (event == XMLStreamConstants.START_ELEMENT && isRecord(reader.getLocalName())) {
        if (alreadyRead > 0) {
          alreadyRead--;
          skipRecord(reader);
        } else if (outcome.found()) {
          readRecord(reader);
        } else {
          skipRecord(reader);
          outcome.rejectPastLimit();
        }
      }
      event = next(reader);
    }
  }

  /**
   * Reads records for as long as the message is {@linkplain PlainXml plain}. If anything else turns
   * up, Aalto reads the whole message, and skips these records.
   *
   * @return whether that was the whole message
   */
  private boolean isReadAsPlain(byte[] content) {
    plainXml.start(content);
    PlainXml.Found found = nextPlainRecord();
    while (found == PlainXml.Found.RECORD) {
      outcome.found();
      endRecord();
      found = nextPlainRecord();
    }
    plainXml.end();
    return found == PlainXml.Found.END;
  }

  private PlainXml.Found nextPlainRecord() {
    return outcome.isWithinLimit() ? plainXml.nextRecord() : PlainXml.Found.NOT_PLAIN;
  }

  /**
   * Checks what the reader cannot be stopped at, since it reads all attributes of an element at
   * once: that no element has more of them than a message may have names.
   *
   * <p>Between one {@code <} and the next, at most one element starts. So where they stand closer
   * than that many attributes need, as they always do but in long texts, nothing is left to count;
   * looked for from far to near, they are found by looking at few bytes.
   */
  private static void checkAttributes(byte[] content) throws MalformedMessageException {
    int window = XmlNames.MAX_IN_MESSAGE * MIN_ATTRIBUTE_BYTES;
    int from = 0;
    while (content.length - from > window) {
      int next = from + window;
      while (next > from && content[next] != '<') {
        next--;
      }
      from = next > from ? next : countAttributes(content, from);
    }
  }

  /** Counts the equals signs up to the next markup, and says where that stands. */
  private static int countAttributes(byte[] content, int from) throws MalformedMessageException {
    int attributes = 0;
    int at = from + 1;
    while (at < content.length && content[at] != '<') {
      if (content[at] == '=' && ++attributes > XmlNames.MAX_IN_MESSAGE) {
        throw new MalformedMessageException(
            RejectionReason.MALFORMED,
            "too many different names: more than "
                + XmlNames.MAX_IN_MESSAGE
                + " equals signs without markup between, at byte "
                + at);
      }
      at++;
    }
    return at;
  }

  private boolean isRecord(String name) {
    for (String recordName : recordNames) {
      if (recordName.equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Reads from behind the start of a record to its end. */
  private void readRecord(XMLStreamReader2 reader) throws MalformedMessageException {
    fields.clear();
    PathNode node = recordNode;
    readAttributes(reader, node);
    // Elements that no path leads into are skipped with all that is in them.
    int skippedDepth = 0;
    while (true) {
      int event = next(reader);
      if (event == XMLStreamConstants.START_ELEMENT) {
        PathNode child = skippedDepth > 0 ? null : node.child(reader.getLocalName());
        if (child != null) {
          enter(reader, node, child);
          node = child;
        } else {
          noteSkipped(reader.getLocalName(), skippedDepth == 0 ? node : null);
          skippedDepth++;
        }
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        if (skippedDepth > 0) {
          skippedDepth--;
        } else {
          PathNode parent = node.parent();
          if (parent == null) {
            endRecord();
            return;
          }
          leave(node);
          node = parent;
        }
      } else if (skippedDepth == 0 && node.hasSlot() && isText(event)) {
        readText(reader, node);
      }
    }
  }

  /**
   * Notes what an element that is skipped makes wrong with the record.
   *
   * @param parent null where it stands in another one that is skipped
   */
  private void noteSkipped(String name, @Nullable PathNode parent) {
    if (isRecord(name)) {
      // Skipped with the rest, it would be lost.
      fields.fail(RejectionReason.BAD_VALUE, name, "a record inside a record");
    } else if (parent != null && parent.hasSlot() && !parent.hasChildren()) {
      fields.fail(RejectionReason.BAD_VALUE, parent, "expected text, found an element");
    }
  }

  private void enter(XMLStreamReader2 reader, PathNode node, PathNode child)
      throws MalformedMessageException {
    if (node.hasSlot() && fields.hasOpenText()) {
      fields.fail(RejectionReason.BAD_VALUE, node, "expected text or elements, found both");
    }
    fields.enter(child);
    readAttributes(reader, child);
    if (child.hasSlot()) {
      fields.open(child.choice() == null ? 0 : rank(reader, child.choice()));
    }
  }

  private void leave(PathNode node) {
    if (node.hasSlot()) {
      fields.close(node.slot());
    }
  }

  private void readAttributes(XMLStreamReader2 reader, PathNode node)
      throws MalformedMessageException {
    for (AttributeSlot attribute : node.attributes()) {
      String value = attribute(reader, attribute.name());
      if (value != null) {
        fields.set(attribute.slot(), value);
      }
    }
  }

  private static int rank(XMLStreamReader2 reader, TypeChoice choice)
      throws MalformedMessageException {
    String type = attribute(reader, choice.attribute());
    return choice.rank(type == null ? null : type.trim());
  }

  private static boolean isText(int event) {
    return event == XMLStreamConstants.CHARACTERS
        || event == XMLStreamConstants.CDATA
        || event == XMLStreamConstants.SPACE;
  }

  private void skipRecord(XMLStreamReader2 reader) throws MalformedMessageException {
    int outside = depth - 1;
    while (depth > outside) {
      next(reader);
    }
  }

  // What calls the library stands below. On bad bytes it may throw any RuntimeException too (its
  // lazily read texts do by design), and each of them means that the message is malformed.

  private XMLStreamReader2 open(byte[] content) throws MalformedMessageException {
    try {
      return (XMLStreamReader2)
          factory.createXMLStreamReader(new Stax2ByteArraySource(content, 0, content.length));
    } catch (XMLStreamException | RuntimeException e) {
      throw new MalformedMessageException(
          RejectionReason.MALFORMED, "not well-formed XML in its first line", e);
    }
  }

  private int next(XMLStreamReader2 reader) throws MalformedMessageException {
    int event;
    boolean hasFewNames = true;
    try {
      event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        hasFewNames = meetNames(reader);
      } else if (event == XMLStreamConstants.PROCESSING_INSTRUCTION) {
        hasFewNames = names.meet(reader.getPITarget());
      }
    } catch (XMLStreamException | RuntimeException e) {
      throw malformed(reader, e);
    }
    if (!hasFewNames) {
      throw new MalformedMessageException(
          RejectionReason.MALFORMED,
          "too many different names: more than " + XmlNames.MAX_IN_MESSAGE + at(reader));
    }
    switch (event) {
      case XMLStreamConstants.START_ELEMENT -> {
        if (++depth > maxNestingDepth()) {
          throw new MalformedMessageException(
              RejectionReason.MALFORMED,
              "elements nested deeper than " + maxNestingDepth() + at(reader));
        }
      }
      case XMLStreamConstants.END_ELEMENT -> depth--;
      case XMLStreamConstants.DTD ->
          throw new MalformedMessageException(
              RejectionReason.FORBIDDEN_DTD, "document type declaration" + at(reader));
      case XMLStreamConstants.ENTITY_REFERENCE ->
          throw new MalformedMessageException(
              RejectionReason.FORBIDDEN_DTD, "reference to an entity" + at(reader));
      default -> {}
    }
    return event;
  }

  /** Notes the names in the start of an element; false if these are too many. */
  private boolean meetNames(XMLStreamReader2 reader) {
    boolean areFew = names.meet(reader.getPrefixedName());
    for (int i = 0; i < reader.getAttributeCount(); i++) {
      String prefix = reader.getAttributePrefix(i);
      String name = reader.getAttributeLocalName(i);
      areFew &= names.meet(prefix.isEmpty() ? name : prefix + ':' + name);
    }
    for (int i = 0; i < reader.getNamespaceCount(); i++) {
      areFew &= names.meet("xmlns:" + reader.getNamespacePrefix(i));
    }
    return areFew;
  }

  private void readText(XMLStreamReader2 reader, PathNode node) throws MalformedMessageException {
    char[] text;
    int start;
    int length;
    try {
      text = reader.getTextCharacters();
      start = reader.getTextStart();
      length = reader.getTextLength();
    } catch (RuntimeException e) {
      throw malformed(reader, e);
    }
    fields.append(node.slot(), text, start, length);
  }

  private static @Nullable String attribute(XMLStreamReader2 reader, String name)
      throws MalformedMessageException {
    try {
      for (int i = 0; i < reader.getAttributeCount(); i++) {
        if (reader.getAttributeLocalName(i).equals(name)) {
          return reader.getAttributeValue(i);
        }
      }
      return null;
    } catch (RuntimeException e) {
      throw malformed(reader, e);
    }
  }

  private static MalformedMessageException malformed(XMLStreamReader2 reader, Exception cause) {
    return new MalformedMessageException(
        RejectionReason.MALFORMED, "not well-formed XML" + at(reader, cause), cause);
  }

  /** Where the library found the fault; where it does not say, where it was. */
  private static String at(XMLStreamReader2 reader, Exception cause) {
    Throwable source = cause.getCause() instanceof XMLStreamException ? cause.getCause() : cause;
    return source instanceof XMLStreamException exception && exception.getLocation() != null
        ? " at offset " + exception.getLocation().getCharacterOffset()
        : at(reader);
  }

  private static String at(XMLStreamReader2 reader) {
    return " at offset " + reader.getLocation().getCharacterOffset();
  }
}
