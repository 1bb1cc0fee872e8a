package io.lastfix.cluster.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.gateway.NotifyClient.Receiver;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NotifyClientTest {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final CannedCluster notify = new CannedCluster();

  @AfterEach
  void stop() {
    notify.stop();
  }

  @Test
  void receiversAreReadFromItsReadiness() throws Exception {
    notify.answers(
        "/ready",
        """
        {"status":"ready","receivers":{
          "webhook-dispatch":{"delivered":1200,"waiting":3,"oldestSeconds":340,"undelivered":1,
            "problem":"the answer was 500"},
          "unconfigured":{"delivered":0,"waiting":0,"oldestSeconds":0,"undelivered":0}}}
        """);

    assertThat(NotifyClient.receivers(notify.url(), LIMIT))
        .containsExactly(
            new Receiver("webhook-dispatch", 1_200, 3, 340, 1, "the answer was 500"),
            new Receiver("unconfigured", 0, 0, 0, 0, ""));
  }

  @Test
  void anotherServerIsNamed() {
    notify.answers("/ready", "{\"status\":\"ready\"}");

    assertThatThrownBy(() -> NotifyClient.receivers(notify.url(), LIMIT))
        .isInstanceOf(IOException.class)
        .hasMessage(notify.url() + "/ready answers without receivers: no notify");
  }

  @Test
  void theLineHasTheOldestAndTheProblemIfThereIsOne() {
    assertThat(new Receiver("mqtt", 1_200, 3, 340, 1, "the broker is away").text())
        .isEqualTo(
            "mqtt: 1,200 delivered, 3 waiting (the oldest for 5 min), 1 undelivered; the broker is away");
    assertThat(new Receiver("mqtt", 0, 0, 0, 0, "").text())
        .isEqualTo("mqtt: 0 delivered, 0 waiting, 0 undelivered");
  }

  @Test
  void theReceiverThatIsAlwaysThereHasALineOnlyIfItIsUsed() {
    assertThat(new Receiver("mqtt", 0, 0, 0, 0, "").hasLine()).isTrue();
    assertThat(new Receiver("unconfigured", 0, 0, 0, 0, "").hasLine()).isFalse();
    assertThat(new Receiver("unconfigured", 0, 0, 0, 2, "").hasLine()).isTrue();
  }
}
