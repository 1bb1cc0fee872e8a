package io.lastfix.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.config.LocationJobConfig;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class KafkaTopicsTest {
  @Test
  void aKafkaThatDoesNotAnswerIsNamedWithItsAddressAndNoCauseIsLeftToBeToldInstead()
      throws Exception {
    // It takes connections, and nobody behind it reads a request.
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      LocationJobConfig config =
          LocationJobConfig.load(
              null,
              List.of(
                  "kafka.bootstrap-servers=" + address,
                  "kafka.properties.request.timeout.ms=100",
                  "kafka.properties.default.api.timeout.ms=200"),
              variable -> null);
      try (Admin admin = KafkaAdmin.connect(config.kafka())) {
        KafkaTopics topics = new KafkaTopics(admin, config.kafka());

        assertThatThrownBy(() -> topics.ensure(config.profileNames()))
            .isInstanceOf(IllegalStateException.class)
            .hasNoCause()
            .hasMessageContainingAll(
                "Kafka at " + address + " does not answer",
                "check kafka.bootstrap-servers and that the broker runs");
      }
    }
  }
}
