package io.lastfix.console.health;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.lastfix.console.config.HealthOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class HealthTest {
  private static final Duration LIMIT = Duration.ofMillis(300);

  @AutoClose private final Health health = Health.empty(LIMIT);

  private static ObjectNode fields() {
    return JsonNodeFactory.instance.objectNode().put("n", 1);
  }

  @Test
  void eachPartHasItsOwnState() {
    CountDownLatch never = new CountDownLatch(1);
    health
        .add("good", HealthTest::fields, "")
        .add(
            "broken",
            () -> {
              throw new IOException("no answer from http://user:secret@flink/");
            },
            "")
        .add(
            "slow",
            () -> {
              never.await();
              return fields();
            },
            "")
        .add("absent", null, "there is no address");

    assertThat(health.read().toString())
        .isEqualTo(
            "{\"good\":{\"state\":\"ok\",\"n\":1},"
                + "\"broken\":{\"state\":\"unavailable\","
                + "\"problem\":\"no answer from http://***@flink/\"},"
                + "\"slow\":{\"state\":\"unavailable\",\"problem\":\"no answer within 300 ms\"},"
                + "\"absent\":{\"state\":\"off\",\"problem\":\"there is no address\"}}");
  }

  @Test
  void withPseudonymsNoDeviceIsNamedThatIsOverItsQuota() throws Exception {
    HttpServer gateway =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    gateway.createContext(
        "/ready",
        exchange -> {
          byte[] body = "{\"overQuota\":{\"devices\":2,\"names\":[\"a\",\"b\"]}}".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    gateway.start();
    try {
      String url = "http://127.0.0.1:" + gateway.getAddress().getPort();

      assertThat(Health.gateway(url, false).path("overQuotaDevices").toString())
          .isEqualTo("[\"a\",\"b\"]");
      assertThat(Health.gateway(url, true).path("overQuota").asInt()).isEqualTo(2);
      assertThat(Health.gateway(url, true).path("overQuotaDevices").toString()).isEqualTo("[]");
    } finally {
      gateway.stop(0);
    }
  }

  /** However many browsers query, a server that does not answer gets one request. */
  @Test
  void aReadingThatRunsIsNotStartedAgainNorWaitedForAgain() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    health.add(
        "slow",
        () -> {
          begun.incrementAndGet();
          never.await();
          return fields();
        },
        "");
    health.read();

    long began = System.nanoTime();
    health.read();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LIMIT);
    assertThat(begun).hasValue(1);
  }

  /** A server may be back at any time, also if its part is read rarely. */
  @Test
  void aPartWithATimeOfItsOwnIsReadAgainSoonOnlyIfItFailed() {
    AtomicInteger begun = new AtomicInteger();
    health.add(
        "costly",
        () -> {
          if (begun.incrementAndGet() == 1) {
            throw new IOException("away");
          }
          return fields();
        },
        "",
        Duration.ofHours(1));

    await("it is read again")
        .untilAsserted(
            () -> assertThat(health.read().path("costly").path("state").asText()).isEqualTo("ok"));
    await("longer than a failure is used")
        .during(Duration.ofMillis(2_500))
        .untilAsserted(
            () -> {
              health.read();
              assertThat(begun).hasValue(2);
            });
  }

  @Test
  void aRecentReadingIsUsedAgain() {
    AtomicInteger begun = new AtomicInteger();
    health.add(
        "good",
        () -> {
          begun.incrementAndGet();
          return fields();
        },
        "");

    health.read();
    health.read();

    assertThat(begun).hasValue(1);
  }

  @Test
  void withoutFlinkAndKafkaTheirPartsSayHowToGetThem() {
    try (Health alone =
        Health.of(HealthOptions.NONE, HealthTest::fields, HealthTest::fields, false)) {
      ObjectNode found = alone.read();

      assertThat(found.path("mongodb").path("state").asText()).isEqualTo("ok");
      for (String part : new String[] {"ledger", "flink", "lag", "rejected", "gateway"}) {
        assertThat(found.path(part).path("state").asText()).as(part).isEqualTo("off");
        assertThat(found.path(part).path("problem").asText()).as(part).isNotEmpty();
      }
    }
  }

  @Test
  void serversThatDoNotAnswerAreUnavailableAndTheOthersAreRead() {
    HealthOptions gone =
        new HealthOptions(
            "http://127.0.0.1:1/",
            "http://127.0.0.1:1/",
            Map.of("bootstrap.servers", "127.0.0.1:1"),
            "j",
            "a",
            "g",
            "r");
    try (Health alone = Health.of(gone, HealthTest::fields, HealthTest::fields, false)) {
      ObjectNode found = alone.read();

      assertThat(found.path("mongodb").path("state").asText()).isEqualTo("ok");
      for (String part : new String[] {"ledger", "flink", "lag", "rejected", "gateway"}) {
        assertThat(found.path(part).path("state").asText()).as(part).isEqualTo("unavailable");
      }
      assertThat(alone.beginLostRecords().get()).isEmpty();
    }
  }
}
