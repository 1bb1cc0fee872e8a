package io.lastfix.cli.audit.tree;

import io.lastfix.parse.FieldPath;
import io.lastfix.parse.Profile;
import io.lastfix.parse.Profile.TypeChoice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Reads XML with the JDK's DOM parser, in which a document type declaration is an error, so that
 * nothing outside the message can be asked for.
 */
final class XmlTreeReader extends TreeReader {
  private static final String PROPERTIES = "http://www.oracle.com/xml/jaxp/properties/";
  private static final List<String> LIMITS_OF_THE_PARSER =
      List.of(PROPERTIES + "maxXMLNameLimit", PROPERTIES + "elementAttributeLimit");

  private final List<String> recordNames;
  private final int maxDepth;
  private final DocumentBuilder builder;

  XmlTreeReader(Profile profile, int maxContentBytes, int maxDepth, int maxRecords) {
    super(profile, maxContentBytes, maxRecords);
    this.recordNames = profile.record();
    this.maxDepth = maxDepth;
    this.builder = newBuilder(maxContentBytes);
  }

  private static DocumentBuilder newBuilder(int maxContentBytes) {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
    try {
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
      // The parser has limits that the job has not: the message's length is the limit.
      for (String limit : LIMITS_OF_THE_PARSER) {
        factory.setAttribute(limit, Integer.toString(maxContentBytes));
      }
      factory.setExpandEntityReferences(false);
      factory.setXIncludeAware(false);
      DocumentBuilder builder = factory.newDocumentBuilder();
      // Without a handler the parser prints every error to the standard error.
      builder.setErrorHandler(new DefaultHandler());
      return builder;
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("The JDK's XML parser knows these features", e);
    }
  }

  @Override
  List<RecordTree> trees(byte[] content) throws UnreadableException {
    List<RecordTree> found = new ArrayList<>();
    try {
      collect(builder.parse(new ByteArrayInputStream(content)).getDocumentElement(), 1, found);
    } catch (SAXException | IOException e) {
      // Not its message, which may quote the payload.
      throw new UnreadableException("not well-formed XML", e);
    }
    return found;
  }

  private void collect(Element element, int depth, List<RecordTree> found)
      throws UnreadableException {
    if (depth > maxDepth) {
      throw new UnreadableException("elements nested deeper than " + maxDepth);
    }
    if (recordNames.contains(localName(element))) {
      add(new XmlRecord(element), found);
      return;
    }
    for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element childElement) {
        collect(childElement, depth + 1, found);
      }
    }
  }

  /** Without its prefix: namespaces do not matter. */
  private static String localName(Node node) {
    String name = node.getNodeName();
    return name.substring(name.indexOf(':') + 1);
  }

  /** An element that is one record. */
  private record XmlRecord(Element element) implements RecordTree {
    @Override
    public Optional<String> text(FieldPath path, @Nullable TypeChoice choice) {
      List<Element> elements = List.of(element);
      for (String name : path.elements()) {
        elements = elements.stream().flatMap(parent -> children(parent, name).stream()).toList();
      }
      if (choice != null) {
        // Sorting keeps the order of equals, so the first of the best comes first.
        elements =
            elements.stream()
                .sorted(Comparator.comparingInt(candidate -> rank(candidate, choice)))
                .toList();
      }
      String attribute = path.attribute();
      return elements.stream()
          .map(found -> attribute == null ? text(found) : attribute(found, attribute))
          .map(text -> text == null ? "" : text.trim())
          .filter(text -> !text.isEmpty())
          .findFirst();
    }

    private static List<Element> children(Element parent, String name) {
      List<Element> children = new ArrayList<>();
      for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
        if (child instanceof Element element && localName(element).equals(name)) {
          children.add(element);
        }
      }
      return children;
    }

    private static int rank(Element element, TypeChoice choice) {
      String type = attribute(element, choice.attribute());
      String effective = type == null ? choice.defaultType() : type.trim();
      int rank = choice.preferred().indexOf(effective);
      return rank < 0 ? choice.preferred().size() : rank;
    }

    /** What stands directly in the element, without comments and without what its children say. */
    private static String text(Element element) {
      StringBuilder text = new StringBuilder();
      for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
        if (child.getNodeType() == Node.TEXT_NODE
            || child.getNodeType() == Node.CDATA_SECTION_NODE) {
          text.append(child.getNodeValue());
        }
      }
      return text.toString();
    }

    private static @Nullable String attribute(Element element, String name) {
      NamedNodeMap attributes = element.getAttributes();
      for (int i = 0; i < attributes.getLength(); i++) {
        Node attribute = attributes.item(i);
        boolean isNamespace = attribute.getNodeName().startsWith("xmlns");
        if (!isNamespace && localName(attribute).equals(name)) {
          return attribute.getNodeValue();
        }
      }
      return null;
    }
  }
}
