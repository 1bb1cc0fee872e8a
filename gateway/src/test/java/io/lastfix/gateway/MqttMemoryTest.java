package io.lastfix.gateway;

import static io.lastfix.gateway.FakeBroker.await;
import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.kafka.NotStored;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What connections leave in memory, counted in the whole JVM: no other test may run beside it. */
@Isolated
class MqttMemoryTest {
  private static final String CLIENT = "com.hivemq.client.internal.mqtt.MqttClientConfig";
  private static final String TOPIC = "lastfix/v1/350000000007919/records/json";

  @Test
  void connectionsThatHaveEndedLeaveNothingInMemory() throws Exception {
    // Tests before this one have left some.
    long clients = instances(CLIENT);
    long threads = clientThreads();
    RecordingSender sender = new RecordingSender().holding();
    try (FakeBroker broker = new FakeBroker()) {
      broker.onConnect(
          connection -> {
            for (int id = 1; id <= 5; id++) {
              connection.publish(id, TOPIC, JSON_RECORD);
            }
          });
      try (TestGateway gateway = TestGateway.startWithBroker(sender, broker.address())) {
        endTenTimes(broker, sender);

        await()
            .untilAsserted(
                () -> {
                  assertThat(instances(CLIENT) - clients).isLessThanOrEqualTo(2);
                  assertThat(clientThreads() - threads).isLessThanOrEqualTo(2);
                });
        assertThat(gateway.metric("lastfix_gateway_mqtt_connected")).isEqualTo(1);
      }
    }
  }

  private static void endTenTimes(FakeBroker broker, RecordingSender sender) throws Exception {
    for (int count = 1; count <= 10; count++) {
      int records = 5 * count;
      await().until(() -> sender.records().size() == records);
      FakeBroker.Connection connection = broker.subscribed();
      if (count % 2 == 0) {
        connection.cut();
      } else {
        sender.fail(records - 5, NotStored.because("Kafka is away"));
      }
      int next = count + 1;
      await().until(() -> broker.connections().size() == next);
      await().until(() -> !broker.connections().get(next - 1).filters().isEmpty());
    }
    broker.onConnect(connection -> {});
    for (int index = 0; index < sender.records().size(); index++) {
      sender.acknowledge(index);
    }
  }

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("mqtt"))
        .count();
  }

  /** Those that a full collection of garbage leaves. */
  static long instances(String className) throws Exception {
    String histogram =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    return histogram
        .lines()
        .map(line -> line.strip().split(" +"))
        .filter(columns -> columns.length > 3 && columns[3].equals(className))
        .mapToLong(columns -> Long.parseLong(columns[1]))
        .sum();
  }
}
