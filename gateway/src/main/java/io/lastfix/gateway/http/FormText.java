package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
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
    byte[] bytes = parameter.toByteArray();
    int length = bytes.length;
    while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
      length--;
    }
    int equals = 0;
    while (equals < length && bytes[equals] != '=') {
      equals++;
    }
    String name = decoded(bytes, 0, equals);
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name) && found[i] == null) {
        String value = decoded(bytes, Math.min(equals + 1, length), length);
        found[i] = value == null || value.isEmpty() ? null : value;
      }
    }
  }

  private static @Nullable String decoded(byte[] bytes, int from, int to) {
    String text = new String(bytes, from, to - from, ISO_8859_1);
    try {
      // As octets first: the decoder itself would replace what is not UTF-8.
      String octets = QueryStringDecoder.decodeComponent(text, ISO_8859_1);
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets.getBytes(ISO_8859_1))).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return null;
    }
  }
}
