package io.lastfix.gateway.devices;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The answer to {@code POST /v1/devices}. */
public sealed interface RegistrationAnswer {
  /** The HTTP status. */
  int status();

  /**
   * The device is registered.
   *
   * @param device its id
   * @param keyid to name in each signature
   * @param secret base64 of the secret to sign with
   * @param components what to cover, each where the request has it
   * @param label how to call the signature
   */
  record Registered(
      DeviceId device, KeyId keyid, String secret, List<String> components, String label)
      implements RegistrationAnswer {
    @Override
    public int status() {
      return 201;
    }

    /** The answer's body. It holds the secret: send it, and log it nowhere. */
    public byte[] json() {
      ObjectNode json =
          JsonNodeFactory.instance
              .objectNode()
              .put("device", device.toString())
              .put("keyid", keyid.toString())
              .put("secret", secret);
      ObjectNode sign = json.putObject("sign");
      components.forEach(sign.putArray("components")::add);
      sign.put("label", label);
      return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Without the secret. */
    @Override
    public String toString() {
      return "Registered[keyid=" + keyid + "]";
    }
  }

  /** Why a registration is refused. */
  enum Reason {
    /** The body is wrong. */
    BAD_REQUEST(400),
    /** The token is absent, or of no group. */
    UNKNOWN_TOKEN(401),
    /** The device is disabled. */
    DEVICE_DISABLED(403),
    /** The UUID belongs to a device of another group. */
    OTHER_GROUP(409),
    /** The group, or all groups together, have as many manifests as are kept. */
    TOO_MANY_MANIFESTS(409),
    /** The gateway cannot register now: try again. */
    UNAVAILABLE(503);

    private final int status;

    Reason(int status) {
      this.status = status;
    }

    /** The reason as a word, such as {@code other-group}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * The registration is refused.
   *
   * @param reason why
   * @param message says what to do; holds no token
   */
  record Refused(Reason reason, String message) implements RegistrationAnswer {
    @Override
    public int status() {
      return reason.status;
    }
  }
}
