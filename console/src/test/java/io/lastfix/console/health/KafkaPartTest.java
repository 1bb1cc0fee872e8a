package io.lastfix.console.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KafkaPartTest {
  private static KafkaPart part(String address) {
    return new KafkaPart(
        Map.of("bootstrap.servers", address),
        "lastfix-location",
        new RejectedMessages("lastfix.rejected", false),
        Duration.ofMillis(100));
  }

  @Test
  void allReadingsHaveOneClientAlsoAfterOneThatFailed() throws Exception {
    try (KafkaPart part = part("127.0.0.1:1")) {
      var first = part.admin();
      assertThatThrownBy(part::lag).isInstanceOf(IOException.class);

      assertThat(part.admin()).isSameAs(first);
    }
  }

  @Test
  void aReadingThatIsStillUnderWayWhenItIsClosedMakesNoOtherClient() {
    KafkaPart part = part("127.0.0.1:1");
    part.close();

    assertThatThrownBy(part::admin).isInstanceOf(IOException.class);
  }
}
