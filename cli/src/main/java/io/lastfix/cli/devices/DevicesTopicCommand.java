package io.lastfix.cli.devices;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.devices.DevicesStore;
import java.io.IOException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base class of the commands over {@code lastfix.devices}. */
abstract class DevicesTopicCommand extends JsonCommand {
  @Option(
      names = "--devices-topic",
      paramLabel = "NAME",
      description = "Topic of groups and devices (default: ${DEFAULT-VALUE}).",
      defaultValue = DevicesTopic.DEFAULT_NAME)
  private String topic = DevicesTopic.DEFAULT_NAME;

  @Mixin final AccessOptions options = new AccessOptions();

  /** Rejects invalid arguments before any server is queried. */
  void check() {}

  /** Executes the command, and prints its result. */
  abstract void run(DevicesStore store) throws IOException;

  /** Whether the topic is created if it is absent. */
  boolean createsTopic() {
    return false;
  }

  @Override
  public final Integer call() throws IOException {
    check();
    KafkaOptions kafka = options.load(Servers.Kind.KAFKA).kafka();
    if (createsTopic()) {
      DevicesStore.createTopic(kafka, topic);
    }
    DevicesStore store = DevicesStore.read(kafka, topic);
    sayUnreadable(topic, store.snapshot().unreadable());
    run(store);
    return 0;
  }
}
