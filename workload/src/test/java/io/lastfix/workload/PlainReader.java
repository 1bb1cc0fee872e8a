package io.lastfix.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Reads messages by the simplest means, a DOM and a Jackson tree: slow, but independent of our
 * code.
 */
final class PlainReader {
  private static final DateTimeFormatter MLP_TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmssxx");
  private static final ObjectMapper JSON = new ObjectMapper();

  private PlainReader() {}

  /**
   * The records of the message.
   *
   * @throws IOException if the message is not well-formed
   * @throws IllegalArgumentException if a field is missing or no number
   */
  static List<LocationRecord> read(MessageFormat format, byte[] message) throws IOException {
    return switch (format) {
      case ARCANUM -> arcanum(document(message));
      case MLP -> mlp(document(message));
      case JSON, NDJSON -> json(message);
    };
  }

  static Document document(byte[] message) throws IOException {
    try {
      DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
      builder.setErrorHandler(null); // the default one prints to the standard error
      return builder.parse(new ByteArrayInputStream(message));
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(e);
    }
  }

  private static List<LocationRecord> arcanum(Document document) {
    List<LocationRecord> records = new ArrayList<>();
    for (Element event : elements(document, "event")) {
      String radio = textOrNull(event, "radio");
      records.add(
          new LocationRecord(
              text(child(event, "subscriber"), "imei"),
              cell(event, "lac", "cid"),
              radio == null ? null : Radio.valueOf(radio),
              Instant.parse(text(event, "timestamp")).toEpochMilli()));
    }
    return records;
  }

  private static List<LocationRecord> mlp(Document document) {
    List<LocationRecord> records = new ArrayList<>();
    for (Element position : elements(document, "pos")) {
      Element time = child(position, "time");
      boolean lte = textOrNull(position, "lte_ci") != null;
      records.add(
          new LocationRecord(
              text(position, "msid"),
              lte ? cell(position, "none", "lte_ci") : cell(position, "lac", "cellid"),
              lte ? Radio.LTE : null,
              OffsetDateTime.parse(time.getTextContent() + time.getAttribute("utc_off"), MLP_TIME)
                  .toInstant()
                  .toEpochMilli()));
    }
    return records;
  }

  private static CellId cell(Element record, String areaName, String cidName) {
    String area = textOrNull(record, areaName);
    return CellId.parse(
        String.join(
            "-",
            text(record, "mcc"),
            text(record, "mnc"),
            area == null ? "" : area,
            text(record, cidName)));
  }

  private static List<Element> elements(Document document, String name) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static Element child(Element parent, String name) {
    if (!(parent.getElementsByTagName(name).item(0) instanceof Element child)) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return child;
  }

  private static @Nullable String textOrNull(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return found.getLength() == 0 ? null : found.item(0).getTextContent();
  }

  private static String text(Element parent, String name) {
    String text = textOrNull(parent, name);
    if (text == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return text;
  }

  private static List<LocationRecord> json(byte[] message) throws IOException {
    List<LocationRecord> records = new ArrayList<>();
    try (MappingIterator<JsonNode> roots = JSON.readerFor(JsonNode.class).readValues(message)) {
      while (roots.hasNextValue()) {
        JsonNode root = roots.nextValue();
        for (JsonNode object : root.isArray() ? root : List.of(root)) {
          records.add(object(object));
        }
      }
    }
    return records;
  }

  private static LocationRecord object(JsonNode object) {
    JsonNode cell = object.path("cell");
    return new LocationRecord(
        object.required("user").textValue(),
        Place.of(
            cell.isMissingNode()
                ? null
                : new CellId(
                    cell.required("mcc").intValue(),
                    cell.required("mnc").intValue(),
                    cell.has("area") ? cell.get("area").intValue() : CellId.NO_AREA,
                    cell.required("cid").longValue()),
            cell.has("radio") ? Radio.valueOf(cell.get("radio").textValue()) : null,
            object.has("position") ? fix(object.get("position")) : null),
        object.required("ts").longValue());
  }

  private static Fix fix(JsonNode position) {
    return new Fix(
        new Position(
            position.required("lon").doubleValue(), position.required("lat").doubleValue()),
        PositionSource.valueOf(position.required("source").textValue().toUpperCase(Locale.ROOT)),
        position.has("accuracy") ? position.get("accuracy").doubleValue() : null,
        position.has("altitude") ? position.get("altitude").doubleValue() : null,
        null);
  }
}
