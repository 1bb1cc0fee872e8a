package io.lastfix.audit.tree;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.profile.Profile;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.ext.DefaultHandler2;

/**
 * Reads the records of XML into small trees with the JDK's SAX parser. It accesses nothing outside
 * the message, whatever a document type declaration names; what such a declaration declares, and a
 * reference to an entity, is an error.
 */
final class XmlTreeReader extends TreeReader {
  private static final String PROPERTIES = "http://www.oracle.com/xml/jaxp/properties/";
  private static final String SAX = "http://xml.org/sax/";
  private static final List<String> OUTSIDE =
      List.of(
          "http://apache.org/xml/features/nonvalidating/load-external-dtd",
          SAX + "features/external-general-entities",
          SAX + "features/external-parameter-entities");
  private static final List<String> LIMITS_OF_THE_PARSER =
      List.of(PROPERTIES + "maxXMLNameLimit", PROPERTIES + "elementAttributeLimit");

  private final List<String> recordNames;
  private final Expected wanted;
  private final int maxDepth;
  private final SAXParser parser;

  XmlTreeReader(Profile profile, DecoderLimits limits) {
    super(profile, limits);
    this.recordNames = profile.record();
    this.wanted = Expected.of(profile);
    this.maxDepth = limits.maxNestingDepth();
    this.parser = newParser(limits.maxDecompressedBytes());
  }

  private static SAXParser newParser(int maxContentBytes) {
    SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
    try {
      for (String outside : OUTSIDE) {
        factory.setFeature(outside, false);
      }
      factory.setXIncludeAware(false);
      SAXParser parser = factory.newSAXParser();
      parser.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      parser.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      // Removes limits of the parser that the job does not have; the message's length is the limit.
      for (String limit : LIMITS_OF_THE_PARSER) {
        parser.setProperty(limit, Integer.toString(maxContentBytes));
      }
      return parser;
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("The JDK's XML parser supports these features", e);
    }
  }

  @Override
  List<RecordTree> trees(byte[] content) throws UnreadableException {
    List<RecordTree> found = new ArrayList<>();
    try {
      Collector collector = new Collector(found);
      parser.setProperty(SAX + "properties/declaration-handler", collector);
      parser.setProperty(SAX + "properties/lexical-handler", collector);
      parser.parse(XmlInput.of(content), collector);
    } catch (SAXException | IOException e) {
      if (e.getCause() instanceof UnreadableException reason) {
        throw reason;
      }
      // Omits its message, which may quote the payload.
      throw new UnreadableException("not well-formed XML", e);
    }
    return found;
  }

  /** Keeps the expected parts of each record. */
  private final class Collector extends DefaultHandler2 {
    private final List<RecordTree> found;

    /** The open elements that are expected in a record, the innermost first. */
    private final Deque<XmlElement> open = new ArrayDeque<>();

    private int depth;
    private boolean isInDocumentType;

    /** The depth inside an element that is not expected; 0: not inside one. */
    private int unwantedDepth;

    Collector(List<RecordTree> found) {
      this.found = found;
    }

    @Override
    public void startDTD(String name, @Nullable String publicId, @Nullable String systemId) {
      isInDocumentType = true;
    }

    @Override
    public void endDTD() {
      isInDocumentType = false;
    }

    @Override
    public void elementDecl(String name, String model) throws SAXException {
      throw internalSubset();
    }

    @Override
    public void attributeDecl(
        String element, String name, String type, @Nullable String mode, @Nullable String value)
        throws SAXException {
      throw internalSubset();
    }

    @Override
    public void internalEntityDecl(String name, String value) throws SAXException {
      throw internalSubset();
    }

    @Override
    public void externalEntityDecl(String name, @Nullable String publicId, String systemId)
        throws SAXException {
      throw internalSubset();
    }

    @Override
    public void notationDecl(String name, @Nullable String publicId, @Nullable String systemId)
        throws SAXException {
      throw internalSubset();
    }

    @Override
    public void unparsedEntityDecl(
        String name, @Nullable String publicId, String systemId, String notation)
        throws SAXException {
      throw internalSubset();
    }

    @Override
    public void comment(char[] characters, int start, int length) throws SAXException {
      if (isInDocumentType) {
        throw internalSubset();
      }
    }

    @Override
    public void skippedEntity(String name) throws SAXException {
      throw new SAXException(new UnreadableException("reference to an entity"));
    }

    private static SAXException internalSubset() {
      return new SAXException(
          new UnreadableException("document type declaration with an internal subset"));
    }

    @Override
    public void startElement(String uri, String ignored, String name, Attributes attributes)
        throws SAXException {
      if (++depth > maxDepth) {
        throw new SAXException(new UnreadableException("elements nested deeper than " + maxDepth));
      }
      String localName = XmlElement.localName(name);
      XmlElement parent = open.peek();
      if (parent == null) {
        if (recordNames.contains(localName)) {
          XmlElement record = new XmlElement(localName, wanted, attributes, null);
          addRecord(record);
          open.push(record);
        }
        return;
      }
      XmlElement element = unwantedDepth > 0 ? null : parent.add(localName, attributes);
      if (element == null) {
        unwantedDepth++;
      } else {
        open.push(element);
      }
    }

    private void addRecord(XmlElement record) throws SAXException {
      try {
        add(record, found);
      } catch (UnreadableException e) {
        throw new SAXException(e);
      }
    }

    @Override
    public void endElement(String uri, String ignored, String name) {
      depth--;
      if (unwantedDepth > 0) {
        unwantedDepth--;
      } else if (!open.isEmpty()) {
        open.pop();
      }
    }

    @Override
    public void characters(char[] characters, int start, int length) {
      XmlElement element = open.peek();
      if (unwantedDepth == 0 && element != null) {
        element.add(characters, start, length);
      }
    }
  }
}
