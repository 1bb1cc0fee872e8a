package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import java.net.URI;
import java.util.List;

/** A device that publishes over MQTT. */
final class MqttPublisher {
  private MqttPublisher() {}

  /** Publishes each payload with QoS 1, and waits for the broker's acknowledgements. */
  static void publish(String broker, String topic, List<String> payloads) {
    URI address = URI.create(broker);
    Mqtt5BlockingClient client =
        Mqtt5Client.builder()
            .serverHost(address.getHost())
            .serverPort(address.getPort())
            .buildBlocking();
    client.connect();
    for (String payload : payloads) {
      // It throws if the broker does not acknowledge.
      var unused =
          client
              .publishWith()
              .topic(topic)
              .qos(MqttQos.AT_LEAST_ONCE)
              .payload(payload.getBytes(UTF_8))
              .send();
    }
    client.disconnect();
  }
}
