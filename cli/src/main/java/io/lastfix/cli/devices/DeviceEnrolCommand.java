package io.lastfix.cli.devices;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.Devices;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.DevicesTopicWriter;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.Manifest;
import io.lastfix.gateway.devices.Registration;
import io.lastfix.gateway.devices.RegistrationAnswer;
import io.lastfix.gateway.devices.RegistrationRequest;
import java.io.IOException;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final long LIMIT_SECONDS = 60;

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
    request(null);
  }

  private RegistrationRequest request(@Nullable Manifest manifest) {
    return accepted("", () -> new RegistrationRequest(uuid, deviceClass, manifest));
  }

  /** The device's manifest, which a new registration without one would take away. */
  private @Nullable Manifest sentBefore(DevicesSnapshot snapshot) {
    return uuid == null ? null : snapshot.manifest(DeviceId.derive(group, uuid));
  }

  @Override
  void run(Session session) throws IOException {
    Group enrolled = session.snapshot().group(group);
    Devices devices = session.snapshot().toDevices();
    RegistrationAnswer answer;
    try (DevicesTopicWriter writer = session.writer()) {
      answer =
          new Registration(
                  devices,
                  groupKeys.keys(),
                  writer::write,
                  InstantSource.system(),
                  UUID::randomUUID)
              .enrol(enrolled, request(sentBefore(session.snapshot())))
              .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "Kafka did not acknowledge the registration within %d s: run the command again with the same --uuid"
              .formatted(LIMIT_SECONDS),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while registering", e);
    }
    if (answer instanceof RegistrationAnswer.Refused refused) {
      throw new StackException(
          refused.reason() == RegistrationAnswer.Reason.UNAVAILABLE
              ? "%s (the group's key is looked for in %s)"
                  .formatted(refused.message(), groupKeys.directory())
              : refused.message());
    }
    RegistrationAnswer.Registered registered = (RegistrationAnswer.Registered) answer;
    if (isJson()) {
      printJson(new ObjectMapper().readTree(registered.json()));
      return;
    }
    out().println("device  " + registered.device());
    out().println("keyid   " + registered.keyid());
    out().println("secret  " + registered.secret());
  }
}
