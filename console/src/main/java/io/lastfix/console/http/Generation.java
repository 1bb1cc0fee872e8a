package io.lastfix.console.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import io.lastfix.kit.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * A header of each answer, which is another one after a start with another configuration or of
 * another release. A page that is open all the while so knows that what it shows may be of before.
 */
public final class Generation {
  static final String HEADER = "lastfix-console";
  private static final int BYTES = 8;

  private Generation() {}

  /**
   * Returns a decorator of routes with the generation of a page and of what it shows.
   *
   * @param page its first file, which names the others by their content
   * @param shown whose data it shows, without secrets
   */
  public static DecoratingHttpServiceFunction of(InputStream page, String shown) {
    try (page) {
      MessageDigest digest = Sha256.create();
      digest.update(page.readAllBytes());
      byte[] hash = digest.digest(shown.getBytes(UTF_8));
      String value = HexFormat.of().formatHex(hash, 0, BYTES);
      return (next, context, request) -> {
        context.mutateAdditionalResponseHeaders(headers -> headers.set(HEADER, value));
        return next.serve(context, request);
      };
    } catch (IOException e) {
      throw new IllegalStateException("the page cannot be read", e);
    }
  }
}
