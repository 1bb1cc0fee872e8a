package io.lastfix.gateway.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.JsonPointerBasedFilter;
import com.fasterxml.jackson.core.filter.TokenFilter;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds one text in JSON, without a tree of the rest. */
public final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /**
   * Returns the text or number at a place.
   *
   * @param content plain or gzip
   * @param pointer of RFC 6901
   * @return null if there is none, or if the content is not JSON up to there: the job rejects it
   */
  public static @Nullable String find(byte[] content, String pointer) {
    try (JsonParser parser =
        new FilteringParserDelegate(
            JSON.createParser(OpenedSize.open(content)),
            new JsonPointerBasedFilter(pointer),
            TokenFilter.Inclusion.ONLY_INCLUDE_ALL,
            false)) {
      return parser.nextToken() == null ? null : text(parser);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Returns the first text or number that is not empty, of a JSON object, or of the first object in
   * a JSON array.
   *
   * @param content plain or gzip
   * @param names of members; if several are there, the first of these names counts
   * @return null if there is none, or if the content is not JSON: the job rejects it
   */
  public static @Nullable String findAny(byte[] content, String... names) {
    @Nullable String[] found = new String[names.length];
    try (JsonParser parser = JSON.createParser(OpenedSize.open(content))) {
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        parser.nextToken();
      }
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        return null;
      }
      // Of the first name there may be none further.
      while (found[0] == null && parser.nextToken() == JsonToken.FIELD_NAME) {
        int name = List.of(names).indexOf(parser.currentName());
        parser.nextToken();
        if (name >= 0 && found[name] == null) {
          String text = text(parser);
          found[name] = text == null || text.isEmpty() ? null : text;
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      return null;
    }
    return Arrays.stream(found).filter(Objects::nonNull).findFirst().orElse(null);
  }

  private static @Nullable String text(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return token.isScalarValue() && token != JsonToken.VALUE_NULL ? parser.getText() : null;
  }

  /**
   * Whether the content, plain or gzip, is JSON for the profile {@code osmand}: an object, an
   * array, or a byte order mark or a zero, which no query string has.
   */
  public static boolean isJson(byte[] content) {
    try (InputStream in = OpenedSize.open(content)) {
      int first = in.read();
      while (first == ' ' || first == '\t' || first == '\r' || first == '\n') {
        first = in.read();
      }
      return first == '{' || first == '[' || first == 0 || first >= 0x80;
    } catch (IOException e) {
      return false;
    }
  }
}
