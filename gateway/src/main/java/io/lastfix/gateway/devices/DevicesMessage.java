package io.lastfix.gateway.devices;

import io.lastfix.model.device.DeviceUsage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One message of the topic {@code lastfix.devices}: the newest value of its key. */
public sealed interface DevicesMessage {
  /** The message's key. */
  String key();

  /**
   * {@code group/<name>}.
   *
   * @param group null: it was removed
   */
  record OfGroup(String name, @Nullable Group group) implements DevicesMessage {
    @Override
    public String key() {
      return "group/" + name;
    }
  }

  /**
   * {@code device/<id>}, written by gateways.
   *
   * @param device null: it was removed
   */
  record OfDevice(DeviceId id, @Nullable RegisteredDevice device) implements DevicesMessage {
    @Override
    public String key() {
      return "device/" + id;
    }
  }

  /**
   * {@code state/<id>}, written by administrators only, so that no registration overwrites a
   * revocation.
   *
   * @param state null: as if there had never been a decision
   * @param since when it was decided; null if the message does not say it
   * @param earlier what was decided before, the oldest first, as far as it is kept
   */
  record OfState(
      DeviceId id,
      @Nullable DeviceState state,
      @Nullable Instant since,
      List<DeviceDecision> earlier)
      implements DevicesMessage {
    /** A decision that says nothing about its time, nor about those before it. */
    public OfState(DeviceId id, @Nullable DeviceState state) {
      this(id, state, null, List.of());
    }

    @Override
    public String key() {
      return "state/" + id;
    }
  }

  /**
   * {@code usage/<device>}, written by the devices job.
   *
   * @param usage null: it was removed
   */
  record OfUsage(String device, @Nullable DeviceUsage usage) implements DevicesMessage {
    @Override
    public String key() {
      return DeviceUsage.KEY_PREFIX + device;
    }
  }

  /**
   * {@code manifest/<hash>}.
   *
   * @param json the manifest; null: it was removed
   * @param group that brought it first; null: it was removed
   */
  record OfManifest(String hash, @Nullable String json, @Nullable String group)
      implements DevicesMessage {
    /** The manifest of a hash is gone. */
    public static OfManifest removed(String hash) {
      return new OfManifest(hash, null, null);
    }

    @Override
    public String key() {
      return "manifest/" + hash;
    }
  }
}
