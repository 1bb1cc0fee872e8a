package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.AccessOptions;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.kit.config.Key;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is particular to a route that takes records. The first sentence of a route's class is its
 * text in {@code docs/reference/gateway-api.md}.
 */
public abstract class RecordRoute {
  private final String name;
  private final String path;
  private final Key<AccessMode> access;

  /**
   * By default the route's key {@code access.NAME} is {@code closed}.
   *
   * @param name in metrics, in the key, and as {@code via} in Kafka; no other route has it
   * @param path as the server writes it, with parameters in braces
   * @param accessMeaning of the key, for the reference
   */
  protected RecordRoute(String name, String path, String accessMeaning) {
    this.name = name;
    this.path = path;
    this.access = Key.oneOf(AccessOptions.PREFIX + name, AccessMode.CLOSED, accessMeaning);
  }

  /** The name: in metrics, in its key, and as {@code via} in Kafka. */
  public final String name() {
    return name;
  }

  /** Where it is, as the server writes it, with parameters in braces. */
  public final String path() {
    return path;
  }

  /** The key of the configuration that decides which clients may write. */
  public final Key<AccessMode> access() {
    return access;
  }

  /** Whether the path is served with a slash at its end, too: users type it into their phones. */
  public boolean mayEndWithSlash() {
    return false;
  }

  /** The methods that it takes. */
  public Set<HttpMethod> methods() {
    return Set.of(HttpMethod.POST);
  }

  /** The profile of the request's records; by default it has the route's name. */
  public String profile(ServiceRequestContext context) {
    return name();
  }

  /** Whether the route's clients name their release in the header Lastfix-SDK. */
  public boolean checksSdk() {
    return false;
  }

  /**
   * What is written to Kafka.
   *
   * @param body as it came over the wire
   */
  public byte[] value(RequestHead head, byte[] body) {
    return body;
  }

  /**
   * Returns the value that is written to Kafka, once its sender is known.
   *
   * @param value of {@link #value}
   * @param user of HTTP Basic, whose password was right; null: there is none
   * @throws IllegalArgumentException with a text for the client, if the request does not say whose
   *     records it has
   */
  public byte[] named(RequestHead head, byte[] value, @Nullable String user) {
    return value;
  }

  /** The device that the request itself names; null if it names none. */
  public abstract @Nullable String claimedDevice(RequestHead head, byte[] body);

  /**
   * Returns why the gateway refuses the device that the request's head names, as a text for the
   * client. Null if it does not refuse it, or if the head names none.
   */
  public @Nullable String refuseClaim(RequestHead head) {
    return null;
  }

  /**
   * The users, besides the device, whose records a device with a password may send; null if there
   * are none. A pattern of {@link io.lastfix.model.UserPatterns}.
   */
  public @Nullable String speaksFor(String device) {
    return null;
  }

  /**
   * Whether a user of HTTP Basic is a device. If not, all devices share the password, and the
   * device is the {@link #claimedDevice}.
   */
  public boolean isUserTheDevice() {
    return true;
  }

  /**
   * Whether the route's clients delete a record after any answer, and repeat it only if there is
   * none. Then what may succeed later gets none.
   */
  public boolean repeatsOnlyWithoutAnswer() {
    return false;
  }

  /** The answer to a stored record. */
  public abstract HttpResponse stored(Stored stored);

  /** The answer to a request without content; null: 400. */
  public @Nullable HttpResponse empty() {
    return null;
  }
}
