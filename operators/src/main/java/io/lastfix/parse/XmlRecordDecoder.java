package io.lastfix.parse;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import io.lastfix.parse.PathNode.AttributeSlot;
import io.lastfix.parse.Profile.TypeChoice;
import java.util.function.LongSupplier;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.io.Stax2ByteArraySource;
import org.jspecify.annotations.Nullable;

/**
 * Decodes XML with Aalto's stream reader. Elements and attributes go by their local names: prefixes
 * and namespaces do not matter. A document type declaration ends the message before anything in it
 * is read, so no entity is ever expanded but the five of XML itself.
 */
final class XmlRecordDecoder extends MessageDecoder {
  private final InputFactoryImpl factory = new InputFactoryImpl();
  private final String[] recordNames;
  private final String nameOfRecord;
  private int depth;

  XmlRecordDecoder(
      Profile profile, DecoderLimits limits, TimestampLimits timestampLimits, LongSupplier clock) {
    super(profile, limits, timestampLimits, clock);
    recordNames = profile.record().toArray(String[]::new);
    nameOfRecord = String.join(" or ", profile.record());
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    // Left as they stand, references to entities show up as events, which end the message.
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
  }

  @Override
  String nameOfRecord() {
    return nameOfRecord;
  }

  @Override
  void decodeRecords(byte[] content) throws MalformedMessageException {
    XMLStreamReader reader = open(content);
    depth = 0;
    int event = next(reader);
    while (event != XMLStreamConstants.END_DOCUMENT) {
      if (event == XMLStreamConstants.START_ELEMENT && isRecord(reader.getLocalName())) {
        if (outcome.found()) {
          readRecord(reader);
        } else {
          skipRecord(reader);
          outcome.rejectPastLimit();
        }
      }
      event = next(reader);
    }
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
  private void readRecord(XMLStreamReader reader) throws MalformedMessageException {
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

  private void enter(XMLStreamReader reader, PathNode node, PathNode child)
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

  private void readAttributes(XMLStreamReader reader, PathNode node)
      throws MalformedMessageException {
    for (AttributeSlot attribute : node.attributes()) {
      String value = attribute(reader, attribute.name());
      if (value != null) {
        fields.set(attribute.slot(), value);
      }
    }
  }

  private static int rank(XMLStreamReader reader, TypeChoice choice)
      throws MalformedMessageException {
    String type = attribute(reader, choice.attribute());
    return choice.rank(type == null ? null : type.trim());
  }

  private static boolean isText(int event) {
    return event == XMLStreamConstants.CHARACTERS
        || event == XMLStreamConstants.CDATA
        || event == XMLStreamConstants.SPACE;
  }

  private void skipRecord(XMLStreamReader reader) throws MalformedMessageException {
    int outside = depth - 1;
    while (depth > outside) {
      next(reader);
    }
  }

  // What calls the library stands below. On bad bytes it may throw any RuntimeException too (its
  // lazily read texts do by design), and each of them means that the message is malformed.

  private XMLStreamReader open(byte[] content) throws MalformedMessageException {
    try {
      return factory.createXMLStreamReader(new Stax2ByteArraySource(content, 0, content.length));
    } catch (XMLStreamException | RuntimeException e) {
      throw new MalformedMessageException(
          RejectionReason.MALFORMED, "not well-formed XML in its first line", e);
    }
  }

  private int next(XMLStreamReader reader) throws MalformedMessageException {
    int event;
    try {
      event = reader.next();
    } catch (XMLStreamException | RuntimeException e) {
      throw malformed(reader, e);
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

  private void readText(XMLStreamReader reader, PathNode node) throws MalformedMessageException {
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

  private static @Nullable String attribute(XMLStreamReader reader, String name)
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

  private static MalformedMessageException malformed(XMLStreamReader reader, Exception cause) {
    return new MalformedMessageException(
        RejectionReason.MALFORMED, "not well-formed XML" + at(reader, cause), cause);
  }

  /** Where the library found the fault; where it does not say, where it was. */
  private static String at(XMLStreamReader reader, Exception cause) {
    Throwable source = cause.getCause() instanceof XMLStreamException ? cause.getCause() : cause;
    return source instanceof XMLStreamException exception && exception.getLocation() != null
        ? " at offset " + exception.getLocation().getCharacterOffset()
        : at(reader);
  }

  private static String at(XMLStreamReader reader) {
    return " at offset " + reader.getLocation().getCharacterOffset();
  }
}
