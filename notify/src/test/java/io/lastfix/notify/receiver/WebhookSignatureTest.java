package io.lastfix.notify.receiver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.notify.config.WebhookSecret;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookSignatureTest {
  /** The vector of the libraries of Standard Webhooks. */
  private static final WebhookSecret SECRET =
      WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  private static final WebhookSecret OTHER =
      WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLjOZ");

  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final long SECONDS = 1_614_265_330L;
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);
  private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  @Test
  void theVectorOfTheSpecificationsLibrariesIsMet() {
    assertThat(WebhookSignature.of(List.of(SECRET), ID, SECONDS, BODY)).isEqualTo(SIGNATURE);
  }

  @Test
  void whileASecretIsReplaced_ThereIsASignatureOfEach() {
    assertThat(WebhookSignature.of(List.of(OTHER, SECRET), ID, SECONDS, BODY))
        .isEqualTo("v1,H8i3ldHqXSb/N5ZUnWQyYZCvEFTk1Ma/QXu1hC9VkQY= " + SIGNATURE);
  }
}
