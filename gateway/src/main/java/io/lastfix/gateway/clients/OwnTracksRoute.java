package io.lastfix.gateway.clients;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import io.lastfix.gateway.http.FormText;
import io.lastfix.gateway.http.JsonText;
import io.lastfix.gateway.http.OpenedSize;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.kafka.Stored;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /pub}: OwnTracks in its HTTP mode; a body without a topic gets that of its user and
 * device. The app expects 200 and a JSON array: cards and positions of friends, of which the
 * gateway has none. It also sends messages without content, which hold nothing to store. All types
 * of messages go to Kafka, with a topic if they have none and otherwise unchanged; the profile
 * {@code owntracks} picks the positions.
 */
public final class OwnTracksRoute extends RecordRoute {
  private static final String ROOT = "owntracks/";

  public OwnTracksRoute() {
    super(
        "owntracks",
        "/pub",
        "Write access to /pub: 'closed', 'unsigned' (the device is owntracks/USER/DEVICE of the"
            + " headers X-Limit-U and X-Limit-D) or 'basic'.");
  }

  @Override
  public boolean mayEndWithSlash() {
    return true;
  }

  /** Returns the device as over MQTT: {@code owntracks/USER/DEVICE}. */
  @Override
  public @Nullable String claimedDevice(RequestHead head, byte[] body) {
    String user = user(head);
    String device = device(head);
    if (user != null && device != null) {
      return ROOT + user + "/" + device;
    }
    String topic = JsonText.find(body, "/topic");
    if (topic == null || !topic.startsWith(ROOT)) {
      return topic;
    }
    // Of other messages the topic has one level more, such as owntracks/USER/DEVICE/event.
    List<String> levels = List.of(topic.split("/", -1));
    return String.join("/", levels.subList(0, Math.min(3, levels.size())));
  }

  /**
   * Writes the topic into a body that has none, as old releases of the app send it: the {@code tid}
   * of such a body has two characters, which several people may share. A body that names another
   * device's topic, or is not one JSON object, is refused, as over MQTT.
   */
  @Override
  public byte[] named(RequestHead head, byte[] value, @Nullable String authenticated) {
    String user = authenticated == null ? user(head) : authenticated;
    String device = device(head);
    requireLevel(user);
    requireLevel(device);
    String topic = topic(value);
    if (topic == null) {
      if (user == null || device == null) {
        throw new IllegalArgumentException(
            "Name user and device, in the headers X-Limit-U and X-Limit-D or as"
                + " /pub?u=USER&d=DEVICE: the body has no topic, and its tid may be that of several people.");
      }
      byte[] named = OwnTracksPayload.withTopic(value, ROOT + user + "/" + device);
      if (named == null) {
        // It is never held as a whole, opened; and no app sends that.
        throw new IllegalArgumentException("The body has gzip and no topic: send it without gzip.");
      }
      return named;
    }
    String start = user == null ? "" : ROOT + user + "/" + (device == null ? "" : device + "/");
    if (!(topic + "/").startsWith(start)) {
      throw new IllegalArgumentException(
          "The topic in the body is not that of user and device, which are in the password,"
              + " X-Limit-U and X-Limit-D, or u= and d=: expected owntracks/USER/DEVICE.");
    }
    return value;
  }

  private static @Nullable String topic(byte[] value) {
    try (InputStream in = OpenedSize.open(value)) {
      return OwnTracksPayload.topic(in);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "The body is not one JSON object of OwnTracks with at most one topic: %s."
              .formatted(e.getMessage()),
          e);
    }
  }

  private static void requireLevel(@Nullable String name) {
    if (name != null && (name.contains("/") || name.chars().anyMatch(Character::isISOControl))) {
      throw new IllegalArgumentException(
          "User and device are levels of a topic: expected both without '/'.");
    }
  }

  private static @Nullable String user(RequestHead head) {
    return name(head, "x-limit-u", "u");
  }

  private static @Nullable String device(RequestHead head) {
    return name(head, "x-limit-d", "d");
  }

  /** The app names both in headers; the Recorder's other clients do so in the query. */
  private static @Nullable String name(RequestHead head, String header, String parameter) {
    String name = head.text(header);
    return name == null || name.isEmpty() ? FormText.find(head.queryBytes(), parameter) : name;
  }

  /** The app's records have the user {@code owntracks/USER/DEVICE}. */
  @Override
  public String speaksFor(String device) {
    return "owntracks/" + device + "/*";
  }

  @Override
  public HttpResponse stored(Stored stored) {
    return emptyArray();
  }

  @Override
  public HttpResponse empty() {
    return emptyArray();
  }

  private static HttpResponse emptyArray() {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON, "[]");
  }
}
