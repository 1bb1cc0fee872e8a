package io.lastfix.cli.devices;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.RegistrationAnswer;
import io.lastfix.gateway.devices.RegistrationRequest;
import io.lastfix.operate.devices.DevicesStore;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix device enrol}: registers a device without a gateway. */
@Command(
    name = "enrol",
    description = {
      "Registers a device as POST /v1/devices does, and prints its keyid and secret.",
      "Needs the group's key. Run again with the same --uuid, it prints the same."
    },
    footer = "  lastfix device enrol --group fleet-a --class phone")
public final class DeviceEnrolCommand extends DevicesTopicCommand {
  @Option(names = "--group", paramLabel = "GROUP", required = true, description = "Its group.")
  private String group = "";

  @Option(
      names = "--class",
      paramLabel = "CLASS",
      required = true,
      description = "The kind of device, such as phone.")
  private String deviceClass = "";

  @Option(
      names = "--uuid",
      paramLabel = "UUID",
      description = "What the device's id is derived from (default: a new random one).")
  private @Nullable UUID uuid;

  @Mixin private final GroupKeyOptions groupKeys = new GroupKeyOptions();

  @Override
  void check() {
    request();
  }

  private RegistrationRequest request() {
    return accepted("", () -> new RegistrationRequest(uuid, deviceClass, null));
  }

  @Override
  void run(DevicesStore store) throws IOException {
    RegistrationAnswer answer = store.enrol(group, request(), groupKeys.keys());
    if (answer instanceof RegistrationAnswer.Refused refused) {
      throw new StackException(
          refused.reason() == RegistrationAnswer.Reason.UNAVAILABLE
              ? "%s (the group's key is looked for in %s)"
                  .formatted(refused.message(), groupKeys.directory())
              : refused.message());
    }
    RegistrationAnswer.Registered registered = (RegistrationAnswer.Registered) answer;
    print(
        new ObjectMapper().readTree(registered.json()),
        List.of(
            "device  " + registered.device(),
            "keyid   " + registered.keyid(),
            "secret  " + registered.secret()));
  }
}
