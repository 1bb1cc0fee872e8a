package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.kafka.Stored;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is particular to a route that takes records. */
public interface RecordRoute {
  /** The name: in metrics, in its key {@code access.NAME}, and as {@code via} in Kafka. */
  String name();

  /** Where it is, as the server writes it, with parameters in braces. */
  String path();

  /** Whether the path is served with a slash at its end, too: users type it into their phones. */
  default boolean mayEndWithSlash() {
    return false;
  }

  /** The methods that it takes. */
  default Set<HttpMethod> methods() {
    return Set.of(HttpMethod.POST);
  }

  /** The profile of the request's records; by default it has the route's name. */
  default String profile(ServiceRequestContext context) {
    return name();
  }

  /** Whether the route's clients name their release in the header Lastfix-SDK. */
  default boolean checksSdk() {
    return false;
  }

  /**
   * What is written to Kafka.
   *
   * @param body as it came over the wire
   */
  default byte[] value(RequestHead head, byte[] body) {
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
  default byte[] named(RequestHead head, byte[] value, @Nullable String user) {
    return value;
  }

  /** The device that the request itself names; null if it names none. */
  @Nullable String claimedDevice(RequestHead head, byte[] body);

  /**
   * Returns why the gateway refuses the device that the request's head names, as a text for the
   * client. Null if it does not refuse it, or if the head names none.
   */
  default @Nullable String refuseClaim(RequestHead head) {
    return null;
  }

  /**
   * The users, besides the device, whose records a device with a password may send; null if there
   * are none. A pattern of {@link io.lastfix.model.UserPatterns}.
   */
  default @Nullable String speaksFor(String device) {
    return null;
  }

  /**
   * Whether a user of HTTP Basic is a device. If not, all devices share the password, and the
   * device is the {@link #claimedDevice}.
   */
  default boolean isUserTheDevice() {
    return true;
  }

  /**
   * Whether the route's clients delete a record after any answer, and repeat it only if there is
   * none. Then what may succeed later gets none.
   */
  default boolean repeatsOnlyWithoutAnswer() {
    return false;
  }

  /** The answer to a stored record. */
  HttpResponse stored(Stored stored);

  /** The answer to a request without content; null: 400. */
  default @Nullable HttpResponse empty() {
    return null;
  }
}
