package io.lastfix.notify.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSecretTest {
  private static String secret(int bytes) {
    return "whsec_" + Base64.getEncoder().encodeToString(new byte[bytes]);
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 32, 64})
  void itHas24To64Bytes(int bytes) {
    assertThat(WebhookSecret.parse(secret(bytes)).key()).hasSize(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 23, 65})
  void fewerOrMoreBytesAreRefused(int bytes) {
    assertThatThrownBy(() -> WebhookSecret.parse(secret(bytes)))
        .hasMessage("expected whsec_ and 24 to 64 bytes as base64");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!!!", "whsk_MfKQ9r8GKYqr"})
  void aTextOfAnotherFormIsRefused_AndNotShown(String text) {
    assertThatThrownBy(() -> WebhookSecret.parse(text))
        .hasMessage("expected whsec_ and 24 to 64 bytes as base64");
  }

  @Test
  void noTextShowsIt() {
    assertThat(WebhookSecret.parse(secret(24)).toString()).isEqualTo("whsec_…");
  }
}
