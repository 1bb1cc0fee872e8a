package io.lastfix.gateway.devices;

import io.lastfix.model.UserPatterns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The content of {@code lastfix.devices}, with everything that a gateway does not keep. */
public final class DevicesSnapshot {
  private final Map<String, Group> groups = new TreeMap<>();
  private final NavigableMap<DeviceId, RegisteredDevice> devices = new TreeMap<>();
  private final Map<DeviceId, DeviceHistory> histories = new HashMap<>();

  /** When each group's newest message was written. */
  private final Map<String, Instant> groupsWritten = new HashMap<>();

  private final Map<String, String> manifests = new TreeMap<>();
  private final List<String> unreadable = new ArrayList<>();

  /** The devices whose newest decision cannot be read. */
  private final Set<DeviceId> undecided = new HashSet<>();

  /** Takes over the next message of the topic. */
  public void add(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    try {
      Optional<DevicesMessage> read = DevicesCodec.read(message.key(), message.value());
      Instant written = Instant.ofEpochMilli(message.timestamp());
      read.map(newest -> dated(newest, written)).ifPresent(this::add);
      if (read.orElse(null) instanceof DevicesMessage.OfGroup of) {
        groupsWritten.put(of.name(), written);
      }
    } catch (DevicesFormatException e) {
      unreadable.add(
          "partition %d, offset %d: %s"
              .formatted(message.partition(), message.offset(), e.getMessage()));
      DevicesCodec.insteadOfUnreadable(message.key())
          .ifPresent(
              disabled -> {
                add(disabled);
                undecided.add(((DevicesMessage.OfState) disabled).id());
              });
    }
  }

  /** A decision without a time was made when it was written. */
  private static DevicesMessage dated(DevicesMessage message, Instant written) {
    return message instanceof DevicesMessage.OfState of && of.since() == null
        ? new DevicesMessage.OfState(of.id(), of.state(), written, of.earlier())
        : message;
  }

  /** Takes over a message of the topic. */
  public void add(DevicesMessage message) {
    if (message instanceof DevicesMessage.OfGroup of) {
      put(groups, of.name(), of.group());
    } else if (message instanceof DevicesMessage.OfDevice of) {
      put(devices, of.id(), of.device());
    } else if (message instanceof DevicesMessage.OfState of) {
      put(histories, of.id(), history(of));
      undecided.remove(of.id());
    } else if (message instanceof DevicesMessage.OfManifest of) {
      put(manifests, of.hash(), of.json());
    }
  }

  private static @Nullable DeviceHistory history(DevicesMessage.OfState of) {
    if (of.state() == null) {
      return null;
    }
    List<DeviceDecision> all = new ArrayList<>(of.earlier());
    all.add(new DeviceDecision(of.since(), of.state()));
    return new DeviceHistory(all);
  }

  private static <K, V> void put(Map<K, V> map, K key, @Nullable V value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }

  /** Returns what a gateway keeps of the topic, without the manifests. */
  public Devices toDevices() {
    Devices known = new Devices();
    groups.forEach((name, group) -> known.apply(new DevicesMessage.OfGroup(name, group)));
    devices.forEach((id, device) -> known.apply(new DevicesMessage.OfDevice(id, device)));
    histories.forEach(
        (id, history) -> known.apply(new DevicesMessage.OfState(id, history.last().state())));
    return known;
  }

  /** Where messages are that could not be read, and why. */
  public List<String> unreadable() {
    return Collections.unmodifiableList(unreadable);
  }

  /** The groups, by name. */
  public Map<String, Group> groups() {
    return Collections.unmodifiableMap(groups);
  }

  /** Returns whether there is a group of that name. */
  public boolean hasGroup(String name) {
    return groups.containsKey(name);
  }

  /**
   * The group of that name.
   *
   * @throws NoSuchElementException if there is none, with the remedy
   */
  public Group group(String name) {
    Group group = groups.get(name);
    if (group == null) {
      throw new NoSuchElementException(
          "there is no group %s: make it with lastfix group create, or choose one of %s"
              .formatted(name, groups.keySet()));
    }
    return group;
  }

  /** The registered devices, by id. */
  public NavigableMap<DeviceId, RegisteredDevice> devices() {
    return Collections.unmodifiableNavigableMap(devices);
  }

  /**
   * The device of that id.
   *
   * @throws NoSuchElementException if it is not registered, with the remedy
   */
  public RegisteredDevice device(DeviceId id) {
    RegisteredDevice device = devices.get(id);
    if (device == null) {
      throw new NoSuchElementException(
          "there is no device %s: lastfix device list shows those that are registered"
              .formatted(id));
    }
    return device;
  }

  /** The state that was decided for a device, or the initial one. */
  public DeviceState state(DeviceId id) {
    return history(id).last().state();
  }

  /** What was decided about a device, as far as it is kept. */
  DeviceHistory history(DeviceId id) {
    return histories.getOrDefault(id, DeviceHistory.NONE);
  }

  /** The message of another decision, which keeps those before it. */
  public DevicesMessage.OfState decision(DeviceId id, DeviceState state, Instant at) {
    return new DevicesMessage.OfState(id, state, at, history(id).with(state, at).earlier());
  }

  /**
   * Returns when a key of a group became invalid, or the latest possible time of that. It is null
   * if the key is valid, or the time is not known.
   */
  @Nullable Instant droppedAt(String group, String key) {
    Group found = group(group);
    if (found.keys().contains(key)) {
      return null;
    }
    Instant dropped = found.droppedAt(key);
    return dropped == null ? groupsWritten.get(group) : dropped;
  }

  /** Whether a device has registered. */
  boolean isRegistered(DeviceId id) {
    return devices.containsKey(id);
  }

  /**
   * Returns the users that the devices of a group may speak for; none if there is no such group.
   */
  UserPatterns speaksFor(String group) {
    Group found = groups.get(group);
    return found == null ? UserPatterns.NONE : found.speaksFor();
  }

  /** Whether the newest decision about a device can be read; gateways refuse the device if not. */
  public boolean isStateReadable(DeviceId id) {
    return !undecided.contains(id);
  }

  /** A device's manifest; null if it has none, or is not registered. */
  public @Nullable Manifest manifest(DeviceId id) {
    RegisteredDevice device = devices.get(id);
    String hash = device == null ? null : device.manifest();
    String json = hash == null ? null : manifests.get(hash);
    return json == null ? null : new Manifest(hash, json);
  }
}
