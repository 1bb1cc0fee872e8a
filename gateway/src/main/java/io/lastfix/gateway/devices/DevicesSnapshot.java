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

/** What {@code lastfix.devices} says, with everything that a gateway does not keep. */
public final class DevicesSnapshot {
  /** 80 bytes each in the topic. */
  static final int MAX_PAST = 50;

  private final Map<String, Group> groups = new TreeMap<>();
  private final NavigableMap<DeviceId, RegisteredDevice> devices = new TreeMap<>();
  private final Map<DeviceId, DeviceState> states = new TreeMap<>();
  private final Map<DeviceId, Instant> decisions = new HashMap<>();
  private final Map<DeviceId, List<PastDecision>> past = new HashMap<>();
  private final Map<String, String> manifests = new TreeMap<>();
  private final List<DevicesMessage> messages = new ArrayList<>();
  private final List<String> unreadable = new ArrayList<>();

  /** The devices whose newest decision cannot be read. */
  private final Set<DeviceId> undecided = new HashSet<>();

  /** Takes over the next message of the topic. */
  public void add(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    try {
      Optional<DevicesMessage> read = DevicesCodec.read(message.key(), message.value());
      read.ifPresent(this::add);
      if (read.orElse(null) instanceof DevicesMessage.OfState of) {
        put(
            decisions,
            of.id(),
            of.state() == null ? null : Instant.ofEpochMilli(message.timestamp()));
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

  /** Takes over a message of the topic. */
  public void add(DevicesMessage message) {
    if (message instanceof DevicesMessage.OfGroup of) {
      put(groups, of.name(), of.group());
    } else if (message instanceof DevicesMessage.OfDevice of) {
      put(devices, of.id(), of.device());
    } else if (message instanceof DevicesMessage.OfState of) {
      put(states, of.id(), of.state());
      put(past, of.id(), of.past().isEmpty() ? null : of.past());
      undecided.remove(of.id());
    } else if (message instanceof DevicesMessage.OfManifest of) {
      put(manifests, of.hash(), of.json());
    }
    if (!(message instanceof DevicesMessage.OfManifest)
        && !(message instanceof DevicesMessage.OfUsage)) {
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

  /** The same as a gateway knows it, but without the manifests. */
  public Devices toDevices() {
    Devices known = new Devices();
    messages.forEach(known::apply);
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
    return states.getOrDefault(id, DeviceState.INITIAL);
  }

  /**
   * A new decision about a device, with those before it. The oldest of many are dropped: what they
   * contradicted before is proved then.
   */
  public DevicesMessage.OfState decide(DeviceId id, DeviceState state) {
    List<PastDecision> before = decisionsOf(id);
    return new DevicesMessage.OfState(
        id, state, before.subList(Math.max(0, before.size() - MAX_PAST), before.size()));
  }

  /** The decisions about a device that are known, oldest first, with the newest. */
  List<PastDecision> decisionsOf(DeviceId id) {
    List<PastDecision> all = new ArrayList<>(past.getOrDefault(id, List.of()));
    Instant at = decisions.get(id);
    if (at != null) {
      all.add(new PastDecision(at, state(id)));
    }
    return all;
  }

  /** Returns whom the devices of a group may speak for; nobody if there is no such group. */
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
