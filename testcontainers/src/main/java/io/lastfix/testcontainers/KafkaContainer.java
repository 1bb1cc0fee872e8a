package io.lastfix.testcontainers;

import com.github.dockerjava.api.command.InspectContainerResponse;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;

/**
 * A Kafka broker. It tells its clients an address of this machine, which is known once the
 * container runs: its program waits for the file with it.
 */
final class KafkaContainer extends GenericContainer<KafkaContainer> {
  private static final String ALIAS = "kafka";
  private static final int PORT = 9092;
  private static final int INSIDE_PORT = 9094;
  private static final String PROPERTIES = "/tmp/lastfix-kafka.properties";
  private static final int READABLE = 0644;

  private static final String START =
      """
      while [ ! -s %1$s ]; do sleep 0.1; done
      java -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format -t bGFzdGZpeC10ZXN0LTAwMQ -c %1$s
      exec java -Xms128m -Xmx384m -cp '/opt/kafka/libs/*' kafka.Kafka %1$s
      """
          .formatted(PROPERTIES);

  KafkaContainer(Network network) {
    super(ServerImage.KAFKA.reference());
    withNetwork(network);
    withNetworkAliases(ALIAS);
    withExposedPorts(PORT);
    withCreateContainerCmdModifier(command -> command.withEntrypoint("bash", "-c", START));
    // The image's own command would become arguments of the script.
    withCommand("");
    waitingFor(Wait.forListeningPort());
  }

  @Override
  protected void containerIsStarting(InspectContainerResponse container) {
    String properties =
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:9093
        controller.listener.names=CONTROLLER
        listeners=HOST://:%1$d,CONTROLLER://127.0.0.1:9093,INTERNAL://:%2$d
        advertised.listeners=HOST://%3$s,INTERNAL://%4$s
        listener.security.protocol.map=HOST:PLAINTEXT,CONTROLLER:PLAINTEXT,INTERNAL:PLAINTEXT
        inter.broker.listener.name=INTERNAL
        log.dirs=/tmp/lastfix-kafka
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        group.initial.rebalance.delay.ms=0
        auto.create.topics.enable=false
        """
            .formatted(PORT, INSIDE_PORT, bootstrapServers(), inside());
    copyFileToContainer(Transferable.of(properties, READABLE), PROPERTIES);
  }

  /** For the test's process. */
  String bootstrapServers() {
    return getHost() + ":" + getMappedPort(PORT);
  }

  /** For the other containers. */
  static String inside() {
    return ALIAS + ":" + INSIDE_PORT;
  }
}
