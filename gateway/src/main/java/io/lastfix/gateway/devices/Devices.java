package io.lastfix.gateway.devices;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway knows of {@code lastfix.devices}, in memory: groups, hashes of manifests, and at
 * most 75 bytes for each device. For any number of threads; messages come from one.
 */
public final class Devices {
  private final Map<String, Group> groups = new ConcurrentHashMap<>();
  private final Map<String, String> groupsByToken = new ConcurrentHashMap<>();

  /** Each hash, with the group that brought it. */
  private final Map<String, String> manifests = new ConcurrentHashMap<>();

  private final Map<String, Integer> manifestsOfGroups = new ConcurrentHashMap<>();
  private final DeviceTable table = new DeviceTable();
  private volatile BooleanSupplier ready = () -> true;

  /** Nothing is known yet. */
  public Devices() {}

  /** Sets what decides whether the topic was read. */
  void readyIf(BooleanSupplier condition) {
    ready = condition;
  }

  /** Whether the topic was read up to its end, as it was at the start. */
  public boolean isReady() {
    return ready.getAsBoolean();
  }

  /** Takes over a message. */
  public void apply(DevicesMessage message) {
    if (message instanceof DevicesMessage.OfGroup of) {
      apply(of);
    } else if (message instanceof DevicesMessage.OfDevice of) {
      RegisteredDevice device = of.device();
      if (device == null) {
        table.unregister(of.id());
      } else {
        table.register(of.id(), device.details());
      }
    } else if (message instanceof DevicesMessage.OfState of) {
      table.decide(of.id(), of.state() == null ? DeviceState.INITIAL : of.state());
    } else if (message instanceof DevicesMessage.OfManifest of) {
      if (of.json() == null) {
        removeManifest(of.hash());
      } else {
        addManifest(of.hash(), Objects.requireNonNull(of.group(), "group"));
      }
    }
  }

  private void apply(DevicesMessage.OfGroup message) {
    Group group = message.group();
    Group before =
        group == null ? groups.remove(message.name()) : groups.put(message.name(), group);
    if (group != null) {
      group.tokens().forEach(token -> groupsByToken.put(token, group.name()));
    }
    if (before != null) {
      before.tokens().stream()
          .filter(token -> group == null || !group.tokens().contains(token))
          .forEach(groupsByToken::remove);
    }
  }

  /** A group by its name. */
  public Optional<Group> group(String name) {
    return Optional.ofNullable(groups.get(name));
  }

  /** The group that a token enrols into. */
  public Optional<Group> groupOfToken(String token) {
    return Optional.ofNullable(groupsByToken.get(EnrolmentToken.hash(token))).flatMap(this::group);
  }

  /** The decision about a device; the initial one for an unknown device. */
  public DeviceState state(DeviceId id) {
    return table.state(id);
  }

  /** The number of registered devices. */
  public int size() {
    return table.size();
  }

  /** The number of manifests. */
  public int manifests() {
    return manifests.size();
  }

  boolean hasManifest(String hash) {
    return manifests.containsKey(hash);
  }

  /** The manifests that a group brought first. */
  int manifestsOf(String group) {
    return manifestsOfGroups.getOrDefault(group, 0);
  }

  void addManifest(String hash, String group) {
    if (manifests.putIfAbsent(hash, group) == null) {
      manifestsOfGroups.merge(group, 1, Integer::sum);
    }
  }

  private void removeManifest(String hash) {
    String group = manifests.remove(hash);
    if (group != null) {
      manifestsOfGroups.merge(group, -1, Integer::sum);
    }
  }

  /** Whether the device is registered with this class and manifest. */
  boolean isRegisteredSo(DeviceId id, long details) {
    DeviceTable.Row row = table.find(id);
    return row != null && row.registered() && row.details() == details;
  }

  void registerIfAbsent(DeviceId id, RegisteredDevice device) {
    table.registerIfAbsent(id, device.details());
  }

  /** The group, other than this one, in which a UUID is registered; null if there is none. */
  @Nullable String otherGroupOf(UUID uuid, String group) {
    // Ids depend on group and UUID, so no index by UUID is needed: a try for each group finds it.
    for (String other : groups.keySet()) {
      if (!other.equals(group)) {
        DeviceTable.Row row = table.find(DeviceId.derive(other, uuid));
        if (row != null && row.registered()) {
          return other;
        }
      }
    }
    return null;
  }

  /** The names of all groups, sorted. */
  public List<String> groupNames() {
    return groups.keySet().stream().sorted().toList();
  }
}
