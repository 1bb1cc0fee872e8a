package io.lastfix.rules.fence;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON text with its place, which Jackson's trees do not have.
 *
 * @param value a {@code Map<String, LocatedJson>}, a {@code List<LocatedJson>}, a {@code String}, a
 *     {@code Double}, a {@code Boolean} or null
 */
record LocatedJson(int line, int column, @Nullable Object value) {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(50).build())
          .build();

  /**
   * Parses a text.
   *
   * @throws TextException if it is no JSON, or has more than one value
   */
  static LocatedJson parse(String text) throws TextException {
    try (JsonParser parser = JSON.createParser(text)) {
      parser.nextToken();
      LocatedJson json = value(parser);
      if (parser.nextToken() != null) {
        throw exception(parser.currentTokenLocation(), "expected one value of JSON, found two");
      }
      return json;
    } catch (JsonProcessingException e) {
      throw exception(e.getLocation(), "expected JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("A text has no I/O", e);
    }
  }

  private static TextException exception(@Nullable JsonLocation place, String message) {
    return place == null
        ? new TextException(1, 1, message)
        : new TextException(
            Math.max(1, place.getLineNr()), Math.max(1, place.getColumnNr()), message);
  }

  private static LocatedJson value(JsonParser parser) throws IOException, TextException {
    JsonLocation place = parser.currentTokenLocation();
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw exception(place, "expected JSON, found nothing");
    }
    return new LocatedJson(
        place.getLineNr(),
        place.getColumnNr(),
        switch (token) {
          case START_OBJECT -> members(parser);
          case START_ARRAY -> elements(parser);
          case VALUE_STRING -> parser.getText();
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
          case VALUE_TRUE -> true;
          case VALUE_FALSE -> false;
          default -> null;
        });
  }

  private static Map<String, LocatedJson> members(JsonParser parser)
      throws IOException, TextException {
    Map<String, LocatedJson> members = new HashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static List<LocatedJson> elements(JsonParser parser) throws IOException, TextException {
    List<LocatedJson> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }

  /** Returns an exception with this place. */
  TextException exception(String message) {
    return new TextException(Math.max(1, line), Math.max(1, column), message);
  }

  /** Returns a member of an object; a place without a value if there is none. */
  LocatedJson member(String name) {
    return value instanceof Map<?, ?> members && members.get(name) instanceof LocatedJson member
        ? member
        : new LocatedJson(line, column, null);
  }

  /** Returns the elements of an array. */
  List<LocatedJson> elements(String expected) throws TextException {
    if (!(value instanceof List<?> elements)) {
      throw exception(expected);
    }
    return elements.stream().map(LocatedJson.class::cast).toList();
  }
}
