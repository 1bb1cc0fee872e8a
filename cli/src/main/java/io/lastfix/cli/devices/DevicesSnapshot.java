package io.lastfix.cli.devices;

import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesCodec;
import io.lastfix.gateway.devices.DevicesFormatException;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.RegisteredDevice;
import io.lastfix.stack.StackException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** What {@code lastfix.devices} says, with everything that a gateway does not keep. */
final class DevicesSnapshot {
  private final Map<String, Group> groups = new TreeMap<>();
  private final NavigableMap<DeviceId, RegisteredDevice> devices = new TreeMap<>();
  private final Map<DeviceId, DeviceState> states = new TreeMap<>();
  private final Map<String, String> manifests = new TreeMap<>();
  private final List<DevicesMessage> messages = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  /** Takes over the next message of the topic. */
  void add(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    try {
      DevicesCodec.read(message.key(), message.value()).ifPresent(this::add);
    } catch (DevicesFormatException e) {
      unreadable.add(
          "partition %d, offset %d: %s"
              .formatted(message.partition(), message.offset(), e.getMessage()));
    }
  }

  void add(DevicesMessage message) {
    if (message instanceof DevicesMessage.OfGroup of) {
      put(groups, of.name(), of.group());
    } else if (message instanceof DevicesMessage.OfDevice of) {
      put(devices, of.id(), of.device());
    } else if (message instanceof DevicesMessage.OfState of) {
      put(states, of.id(), of.state());
    } else if (message instanceof DevicesMessage.OfManifest of) {
      put(manifests, of.hash(), of.json());
    }
    if (!(message instanceof DevicesMessage.OfManifest)) {
      messages.add(message);
    }
  }

  private static <K, V> void put(Map<K, V> map, K key, @Nullable V value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }

  /** All messages but the manifests, in the order of each key. */
  List<DevicesMessage> messages() {
    return Collections.unmodifiableList(messages);
  }

  /** Where messages are that could not be read, and why. */
  List<String> unreadable() {
    return Collections.unmodifiableList(unreadable);
  }

  boolean hasGroup(String name) {
    return groups.containsKey(name);
  }

  Group group(String name) {
    Group group = groups.get(name);
    if (group == null) {
      throw new StackException(
          "there is no group %s: make it with lastfix group create, or choose one of %s"
              .formatted(name, groups.keySet()));
    }
    return group;
  }

  NavigableMap<DeviceId, RegisteredDevice> devices() {
    return Collections.unmodifiableNavigableMap(devices);
  }

  RegisteredDevice device(DeviceId id) {
    RegisteredDevice device = devices.get(id);
    if (device == null) {
      throw new StackException(
          "there is no device %s: lastfix device list shows those that are registered"
              .formatted(id));
    }
    return device;
  }

  DeviceState state(DeviceId id) {
    return states.getOrDefault(id, DeviceState.INITIAL);
  }

  /** A manifest's JSON; null if the device has none. */
  @Nullable String manifest(RegisteredDevice device) {
    return device.manifest() == null ? null : manifests.get(device.manifest());
  }
}
