package io.lastfix.notify.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.notify.config.WebhookSecret;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signatures of the Standard Webhooks specification, version 1.0.0. */
final class WebhookSignature {
  private static final String ALGORITHM = "HmacSHA256";

  private WebhookSignature() {}

  /**
   * Returns the header {@code webhook-signature}: a signature for each secret.
   *
   * @param id of the message, without a full stop
   * @param seconds of the attempt, since the epoch
   */
  static String of(List<WebhookSecret> secrets, String id, long seconds, byte[] body) {
    return secrets.stream()
        .map(secret -> "v1," + base64(secret, id, seconds, body))
        .collect(Collectors.joining(" "));
  }

  private static String base64(WebhookSecret secret, String id, long seconds, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.key(), ALGORITHM));
      mac.update((id + "." + seconds + ".").getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Java without " + ALGORITHM, e);
    }
  }
}
