package io.lastfix.gateway.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Finds one text in a JSON object, without a tree of the rest. */
public final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /**
   * Returns the text or number at that path of members.
   *
   * @param content plain or gzip
   * @return null if there is none, or if the content is not JSON up to there: the job rejects it
   */
  public static @Nullable String find(byte[] content, String... path) {
    try (JsonParser parser = JSON.createParser(OpenedSize.open(content))) {
      parser.nextToken();
      for (int step = 0; step < path.length; step++) {
        if (!enter(parser, path[step])) {
          return null;
        }
      }
      return parser.currentToken().isScalarValue() && parser.currentToken() != JsonToken.VALUE_NULL
          ? parser.getText()
          : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** Whether the content, plain or gzip, begins as a JSON object does. */
  public static boolean isObject(byte[] content) {
    try (InputStream in = OpenedSize.open(content)) {
      int first = in.read();
      while (first == ' ' || first == '\t' || first == '\r' || first == '\n') {
        first = in.read();
      }
      return first == '{';
    } catch (IOException e) {
      return false;
    }
  }

  /** Moves to the value of the first member of that name. */
  private static boolean enter(JsonParser parser, String name) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return false;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean isWanted = parser.currentName().equals(name);
      parser.nextToken();
      if (isWanted) {
        return true;
      }
      parser.skipChildren();
    }
    return false;
  }
}
