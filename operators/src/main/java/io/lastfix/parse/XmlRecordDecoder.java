package io.lastfix.parse;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.TypeChoice;
import io.lastfix.parse.reader.MalformedMessageException;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.PathNode.AttributeSlot;
import io.lastfix.parse.reader.XmlEncoding;
import io.lastfix.parse.reader.XmlNames;
import io.lastfix.parse.shape.ShapeElements;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.codehaus.stax2.io.Stax2ByteArraySource;
import org.jspecify.annotations.Nullable;

/**
 * Decodes XML with Aalto's stream reader. It compares elements and attributes by their local names
 * and ignores prefixes and namespaces. A document type declaration is skipped: what it names is not
 * read. One with an internal subset ends the message before the subset is read. Only the five
 * predefined entities of XML are therefore expanded. A message with more different names than
 * {@link XmlNames#MAX_IN_MESSAGE} ends there.
 */
final class XmlRecordDecoder extends RecordDecoder {
  private static final byte[] NOTHING = {};

  /** Minimum length of an attribute and the space before it. */
  private static final int MIN_ATTRIBUTE_BYTES = 5;

  /** Names the coordinate system of a shape. */
  private static final String SYSTEM_ATTRIBUTE = "srsName";

  private final XmlNames names = new XmlNames();
  private InputFactoryImpl factory = newFactory();
  private final List<String> recordNames;
  private int depth;

  /** The message in UTF-8. */
  private byte[] content = NOTHING;

  XmlRecordDecoder(Profile profile, DecoderLimits limits, RecordAssembler assembler) {
    super(limits, assembler);
    recordNames = profile.record();
  }

  private static InputFactoryImpl newFactory() {
    InputFactoryImpl factory = new InputFactoryImpl();
    factory.setProperty(XMLInputFactory.IS_COALESCING, false);
    // Unexpanded references to entities appear as events, which end the message.
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    return factory;
  }

  /** Returns the factory of the readers, which also stores the names that they have read. */
  InputFactoryImpl factory() {
    return factory;
  }

  @Override
  String nameOfRecord() {
    return String.join(" or ", recordNames);
  }

  @Override
  void decodeRecords(byte[] message) throws MalformedMessageException {
    content = XmlEncoding.toUtf8(message);
    try {
      checkAttributes(content);
      readAll();
    } finally {
      content = NOTHING;
    }
  }

  private void readAll() throws MalformedMessageException {
    if (names.areTooMany()) {
      names.clear();
      factory = newFactory();
    }
    names.startMessage();
    XMLStreamReader2 reader = open();
    depth = 0;
    int event = next(reader);
    while (event != XMLStreamConstants.END_DOCUMENT) {
      if (event == XMLStreamConstants.START_ELEMENT
          && recordNames.contains(reader.getLocalName())) {
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

  /**
   * Checks that no element has more attributes than a message may have names. The reader cannot
   * check this in time, since it reads all attributes of an element at once.
   *
   * <p>At most one element starts between one {@code <} and the next. If they are closer than that
   * many attributes need, there is nothing to count; only long texts have larger distances. A
   * search backwards from the largest distance reads few bytes.
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

  /** Counts the equals signs up to the next markup, and returns its offset. */
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

  /** Reads from the end of a record's start tag to the record's end. */
  private void readRecord(XMLStreamReader2 reader) throws MalformedMessageException {
    fields.clear();
    PathNode node = recordNode;
    readAttributes(reader, node);
    // Elements outside all paths are skipped with their content.
    int skippedDepth = 0;
    while (true) {
      int event = next(reader);
      if (event == XMLStreamConstants.START_ELEMENT) {
        PathNode child = skippedDepth > 0 ? null : node.child(reader.getLocalName());
        if (child != null && child.isShape()) {
          enter(reader, node, child);
          readShape(reader);
        } else if (child != null) {
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
          if (node.hasSlot()) {
            fields.close(node.slot());
          }
          node = parent;
        }
      } else if (skippedDepth == 0 && node.hasSlot() && isText(event)) {
        char[] text = text(reader);
        fields.append(node.slot(), text, reader.getTextStart(), reader.getTextLength());
      }
    }
  }

  /** Reads from the end of a shape's start tag to the shape's end. */
  private void readShape(XMLStreamReader2 reader) throws MalformedMessageException {
    ShapeElements shape = fields.shape();
    shape.begin();
    int outside = depth - 1;
    while (true) {
      int event = next(reader);
      if (event == XMLStreamConstants.START_ELEMENT) {
        String name = reader.getLocalName();
        noteSkipped(name, null);
        shape.start(name);
        String system = attribute(reader, SYSTEM_ATTRIBUTE);
        if (system != null) {
          shape.system(system);
        }
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        if (depth == outside) {
          return;
        }
        shape.end();
      } else if (isText(event)) {
        char[] text = text(reader);
        shape.text(text, reader.getTextStart(), reader.getTextLength());
      }
    }
  }

  /**
   * Records a failure if a skipped element makes the record invalid.
   *
   * @param parent null if it is inside another skipped element
   */
  private void noteSkipped(String name, @Nullable PathNode parent) {
    if (recordNames.contains(name)) {
      // Skipping it would lose that record.
      fields.fail(RejectionReason.BAD_VALUE, name, "a record inside a record");
    } else if (parent != null && parent.hasSlot() && !parent.hasChildren()) {
      fields.unreadable(parent.slot(), "expected text, found an element");
    }
  }

  private void enter(XMLStreamReader2 reader, PathNode node, PathNode child)
      throws MalformedMessageException {
    if (node.hasSlot() && fields.hasOpenText()) {
      fields.unreadable(node.slot(), "expected text or elements, found both");
    }
    fields.enter(child);
    readAttributes(reader, child);
    if (child.hasSlot()) {
      fields.open(child.choice() == null ? 0 : rank(reader, child.choice()));
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

  // The methods below call the library. On invalid bytes it may also throw any RuntimeException
  // (its lazily read texts do by design), and each means that the message is malformed.

  private XMLStreamReader2 open() throws MalformedMessageException {
    try {
      return (XMLStreamReader2)
          factory.createXMLStreamReader(new Stax2ByteArraySource(content, 0, content.length));
    } catch (XMLStreamException | RuntimeException e) {
      throw new MalformedMessageException("not well-formed XML in its first line", e);
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
      } else if (event == XMLStreamConstants.DTD) {
        hasFewNames = names.meet(reader.getDTDInfo().getDTDRootName());
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
      case XMLStreamConstants.DTD -> {
        if (hasInternalSubset(reader)) {
          throw new MalformedMessageException(
              RejectionReason.FORBIDDEN_DTD,
              "document type declaration with an internal subset" + at(reader));
        }
      }
      case XMLStreamConstants.ENTITY_REFERENCE ->
          throw new MalformedMessageException(
              RejectionReason.FORBIDDEN_DTD, "reference to an entity" + at(reader));
      default -> {}
    }
    return event;
  }

  /** Counts the names of a start tag; false if the message has too many. */
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

  /** Returns the buffer with the current text; the library reads all of the text before. */
  private static char[] text(XMLStreamReader2 reader) throws MalformedMessageException {
    try {
      char[] text = reader.getTextCharacters();
      reader.getTextStart();
      reader.getTextLength();
      return text;
    } catch (RuntimeException e) {
      throw malformed(reader, e);
    }
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
    return new MalformedMessageException("not well-formed XML" + at(reader, cause), cause);
  }

  /** Returns the offset that the library reports for the fault, or else its current offset. */
  private static String at(XMLStreamReader2 reader, Exception cause) {
    Throwable source = cause.getCause() instanceof XMLStreamException ? cause.getCause() : cause;
    return source instanceof XMLStreamException exception && exception.getLocation() != null
        ? " at offset " + exception.getLocation().getCharacterOffset()
        : at(reader);
  }

  /** The library has read up to the bracket that starts the subset, or to the declaration's end. */
  private boolean hasInternalSubset(XMLStreamReader2 reader) {
    int offset = reader.getLocationInfo().getCurrentLocation().getCharacterOffset();
    return content[offset - 1] != '>';
  }

  private static String at(XMLStreamReader2 reader) {
    return " at offset " + reader.getLocation().getCharacterOffset();
  }
}
