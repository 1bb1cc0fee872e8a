package io.lastfix.rules.follow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.kit.kafka.TopicFollower;
import io.lastfix.kit.kafka.UnreadableMessageException;
import io.lastfix.rules.judge.Groups;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Collects the groups of the devices that are registered in {@code lastfix.devices}: about 75 bytes
 * for each. Of the messages {@code device/<id>} it reads only that. The rules do not use the
 * gateway's codec; DeviceGroupsFormatTest, in the module {@code operate}, compares the two.
 *
 * <p>If the topic was created again, the devices that it had keep their groups until it is read to
 * its end. Those that it does not have any more then have none.
 *
 * <p>One thread takes messages.
 */
final class DeviceGroups implements Groups, TopicFollower.Handler {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PREFIX = "device/";
  private static final int VERSION = 1;
  private static final int DIGITS = 32;

  private final RuleFollower.DeviceNames names;
  private final Map<Id, Membership> memberships = new ConcurrentHashMap<>();

  /** The same object for all devices of a group and partition. */
  private final Map<Membership, Membership> shared = new HashMap<>();

  /** The devices of a partition that is read again, of which no message has come yet. */
  private final Set<Id> unseen = new HashSet<>();

  /**
   * A device's group.
   *
   * @param partition of the message that has it
   */
  private record Membership(String group, int partition) {}

  /** A device's id, or its pseudonym: both have 128 bits. */
  private record Id(long high, long low) {
    /** Returns the id that a text is; null if it is none. */
    static @Nullable Id find(String text) {
      if (text.length() != DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
        return null;
      }
      return new Id(
          HexFormat.fromHexDigitsToLong(text, 0, DIGITS / 2),
          HexFormat.fromHexDigitsToLong(text, DIGITS / 2, DIGITS));
    }
  }

  /**
   * @param names how users of records are named
   */
  DeviceGroups(RuleFollower.DeviceNames names) {
    this.names = names;
  }

  @Override
  public @Nullable String of(String user) {
    Id id = Id.find(user);
    Membership membership = id == null ? null : memberships.get(id);
    return membership == null ? null : membership.group();
  }

  /**
   * Takes a message of the topic.
   *
   * @throws UnreadableMessageException if it is about a device, and cannot be read: the former one
   *     counts
   */
  @Override
  public void message(ConsumerRecord<byte @Nullable [], byte @Nullable []> message)
      throws UnreadableMessageException {
    byte[] key = message.key();
    String text = key == null ? "" : new String(key, UTF_8);
    if (!text.startsWith(PREFIX)) {
      return;
    }
    Id id = Id.find(names.storedAs(text.substring(PREFIX.length())));
    if (id == null) {
      throw new UnreadableMessageException("its key names no device", null);
    }
    unseen.remove(id);
    byte[] value = message.value();
    if (value == null) {
      memberships.remove(id);
    } else {
      Membership membership = new Membership(group(value), message.partition());
      memberships.put(id, shared.computeIfAbsent(membership, same -> same));
    }
  }

  @Override
  public void beginAgain(int partition) {
    memberships.forEach(
        (id, membership) -> {
          if (membership.partition() == partition) {
            unseen.add(id);
          }
        });
  }

  @Override
  public void caughtUp() {
    memberships.keySet().removeAll(unseen);
    unseen.clear();
  }

  private static String group(byte[] value) throws UnreadableMessageException {
    JsonNode json;
    try {
      json = JSON.readTree(value);
    } catch (IOException e) {
      // Its message quotes the value.
      throw new UnreadableMessageException("the value is no JSON", null);
    }
    JsonNode group = json.path("group");
    if (json.path("v").asInt() != VERSION || !group.isTextual()) {
      throw new UnreadableMessageException(
          "the value is no device of version %d".formatted(VERSION), null);
    }
    return group.textValue();
  }
}
