package io.lastfix.audit.tree;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /** The attribute of a shape's elements that names what their coordinates mean. */
  private static final String COORDINATE_SYSTEM = "srsName";

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

  /** The name without its prefix: namespaces do not matter. */
  private static String localName(String name) {
    return name.substring(name.indexOf(':') + 1);
  }

  /** Keeps the expected parts of each record. */
  private final class Collector extends DefaultHandler2 {
    private final List<RecordTree> found;

    /** The open elements that are expected in a record, the innermost first. */
    private final Deque<Element> open = new ArrayDeque<>();

    private int depth;
    private boolean isInDocumentType;

    /** The depth inside an element that is not expected; 0: not inside one. */
    private int unwantedDepth;

    /** The shape that is being read; null outside of one. */
    private @Nullable ShapeTree shape;

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
      if (shape != null) {
        startInShape(shape, name, attributes);
        return;
      }
      Element parent = open.peek();
      if (parent == null) {
        if (recordNames.contains(localName(name))) {
          Element record = new Element(wanted, attributes);
          addRecord(record);
          open.push(record);
        }
        return;
      }
      if (unwantedDepth == 0 && parent.wanted.shapes().contains(localName(name))) {
        parent.isNoText |= !parent.text().trim().isEmpty();
        Element record = open.getLast();
        shape = new ShapeTree();
        if (record.shape != null) {
          shape.fail("given twice");
        }
        record.shape = shape;
        return;
      }
      Expected inside = unwantedDepth > 0 ? null : parent.wanted.members().get(localName(name));
      if (inside == null) {
        if (unwantedDepth == 0 && !parent.wanted.hasMembers()) {
          parent.isNoText = true;
        }
        unwantedDepth++;
        return;
      }
      parent.isNoText |= !parent.text().trim().isEmpty();
      Element element = new Element(inside, attributes);
      parent.add(localName(name), element);
      open.push(element);
    }

    private static void startInShape(ShapeTree shape, String name, Attributes attributes) {
      shape.start(localName(name));
      for (int i = 0; i < attributes.getLength(); i++) {
        if (localName(attributes.getQName(i)).equals(COORDINATE_SYSTEM)) {
          shape.system(attributes.getValue(i));
        }
      }
    }

    private void addRecord(Element record) throws SAXException {
      try {
        add(record, found);
      } catch (UnreadableException e) {
        throw new SAXException(e);
      }
    }

    @Override
    public void endElement(String uri, String ignored, String name) {
      depth--;
      if (shape != null) {
        shape = shape.end() ? shape : null;
      } else if (unwantedDepth > 0) {
        unwantedDepth--;
      } else if (!open.isEmpty()) {
        open.pop();
      }
    }

    @Override
    public void characters(char[] characters, int start, int length) {
      if (shape != null) {
        shape.text(characters, start, length);
        return;
      }
      Element element = open.peek();
      if (unwantedDepth == 0 && element != null) {
        element.add(characters, start, length);
      }
    }
  }

  /** An element that is a record or an expected part of one. */
  private static final class Element implements RecordTree {
    private final Expected wanted;
    private final Map<String, String> attributes;
    private Map<String, List<Element>> children = Map.of();
    private @Nullable StringBuilder text;

    /** Whether there is an element inside where a text is expected, or after one. */
    private boolean isNoText;

    /** Of a record. */
    private @Nullable ShapeTree shape;

    Element(Expected wanted, Attributes given) {
      this.wanted = wanted;
      this.attributes = wanted.attributes().isEmpty() ? Map.of() : new HashMap<>(2);
      for (int i = 0; i < given.getLength() && !wanted.attributes().isEmpty(); i++) {
        String name = given.getQName(i);
        if (!name.startsWith("xmlns") && wanted.attributes().contains(localName(name))) {
          attributes.putIfAbsent(localName(name), given.getValue(i));
        }
      }
    }

    void add(String name, Element child) {
      if (children.isEmpty()) {
        children = new HashMap<>(2);
      }
      children.computeIfAbsent(name, absent -> new ArrayList<>(1)).add(child);
    }

    /** Adds to the element's own text, without that of its children. */
    void add(char[] characters, int start, int length) {
      if (text == null) {
        text = new StringBuilder(length);
      }
      text.append(characters, start, length);
    }

    private String text() {
      return text == null ? "" : text.toString();
    }

    @Override
    public @Nullable ShapeTree shape() {
      return shape;
    }

    /** All elements at the end of that path. */
    private List<Element> elements(FieldPath path) {
      List<Element> elements = List.of(this);
      for (String name : path.elements()) {
        elements = named(elements, name);
      }
      return elements;
    }

    private static List<Element> named(List<Element> parents, String name) {
      return parents.stream()
          .flatMap(parent -> parent.children.getOrDefault(name, List.of()).stream())
          .toList();
    }

    /** The text of that attribute, or of the element itself. */
    private String text(@Nullable String attribute) {
      return attribute == null ? text() : attributes.getOrDefault(attribute, "");
    }

    @Override
    public Optional<String> text(FieldPath path, @Nullable TypeChoice choice) {
      List<Element> elements = elements(path);
      if (choice != null) {
        // The sort is stable, so the first of the best comes first.
        elements =
            elements.stream()
                .sorted(Comparator.comparingInt(candidate -> candidate.rank(choice)))
                .toList();
      }
      String attribute = path.attribute();
      return elements.stream()
          .map(element -> element.text(attribute))
          .map(String::trim)
          .filter(found -> !found.isEmpty())
          .findFirst();
    }

    @Override
    public boolean isNoText(FieldPath path, int maxTextLength) {
      List<Element> elements = elements(path);
      String attribute = path.attribute();
      return elements.stream()
          .anyMatch(
              element ->
                  (attribute == null && element.isNoText)
                      || RecordTree.isLonger(element.text(attribute), maxTextLength));
    }

    @Override
    public boolean isRepeated(FieldPath path) {
      List<Element> elements = List.of(this);
      for (String name : path.elements()) {
        elements = named(elements, name);
        if (elements.size() > 1) {
          return true;
        }
      }
      return false;
    }

    private int rank(TypeChoice choice) {
      String type = attributes.get(choice.attribute());
      String effective = type == null ? choice.defaultType() : type.trim();
      int rank = choice.preferred().indexOf(effective);
      return rank < 0 ? choice.preferred().size() : rank;
    }
  }
}
