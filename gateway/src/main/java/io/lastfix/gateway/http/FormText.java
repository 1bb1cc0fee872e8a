package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds one parameter in a query string as the profile {@code osmand} reads it, without a map of
 * the rest: raw or percent-encoded UTF-8, {@code +} for a blank, and the part of a URL up to its
 * question mark is skipped.
 */
public final class FormText {
  /** Of a parameter that can name a device: 256 characters, each percent-encoded, and its name. */
  private static final int MAX_BYTES = 4 * 1024;

  private static final int END = -1;

  private FormText() {}

  /**
   * Returns the first value that is not empty.
   *
   * @param content plain or gzip
   * @param names of the parameter; if several are there, the first of these names counts
   * @return null if there is none, or if it is not encoded as described: the job rejects it
   */
  public static @Nullable String find(byte[] content, String... names) {
    @Nullable String[] found = new String[names.length];
    try (InputStream in = new BufferedInputStream(OpenedSize.open(content))) {
      ByteArrayOutputStream parameter = new ByteArrayOutputStream();
      boolean mayBeUrl = true;
      int next;
      do {
        next = in.read();
        if (next == '?' && mayBeUrl) {
          parameter.reset();
        } else if (next != '&' && next != END) {
          mayBeUrl &= next != '=';
          if (parameter.size() <= MAX_BYTES) {
            parameter.write(next);
          }
        } else {
          keep(parameter, names, found);
          parameter.reset();
          mayBeUrl = false;
        }
      } while (next != END);
    } catch (IOException e) {
      return null;
    }
    return Arrays.stream(found).filter(Objects::nonNull).findFirst().orElse(null);
  }

  private static void keep(
      ByteArrayOutputStream parameter, String[] names, @Nullable String[] found) {
    if (parameter.size() == 0 || parameter.size() > MAX_BYTES) {
      return;
    }
    String text = parameter.toString(ISO_8859_1);
    int length = text.length();
    while (length > 0 && (text.charAt(length - 1) == '\n' || text.charAt(length - 1) == '\r')) {
      length--;
    }
    String[] pair = text.substring(0, length).split("=", 2);
    String name = decoded(pair[0]);
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name) && found[i] == null && pair.length == 2) {
        String value = decoded(pair[1]);
        found[i] = value == null || value.isEmpty() ? null : value;
      }
    }
  }

  private static @Nullable String decoded(String text) {
    try {
      // As octets first: the decoder itself would replace what is not UTF-8.
      return RequestHead.utf8(QueryStringDecoder.decodeComponent(text, ISO_8859_1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
