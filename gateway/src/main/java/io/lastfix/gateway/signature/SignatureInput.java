package io.lastfix.gateway.signature;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Signature-Input} with its one member.
 *
 * @param label the name of the signature
 * @param components what is covered, in order
 * @param parameters in order; a value is a {@code Long} or a {@code String}
 */
record SignatureInput(String label, List<String> components, Map<String, Object> parameters) {
  static final String CREATED = "created";
  static final String EXPIRES = "expires";
  static final String KEYID = "keyid";
  static final String ALG = "alg";

  /** The inner list with its parameters, in the canonical form of RFC 8941: what is signed. */
  String canonical() {
    StringBuilder text = new StringBuilder("(");
    for (String component : components) {
      if (text.length() > 1) {
        text.append(' ');
      }
      text.append(quoted(component));
    }
    text.append(')');
    parameters.forEach(
        (name, value) -> {
          text.append(';').append(name).append('=');
          text.append(value instanceof String string ? quoted(string) : value);
        });
    return text.toString();
  }

  private static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  /** The text of the signature base, RFC 9421 section 2.5. */
  String base(RequestHead head) throws SignatureRefusedException {
    StringBuilder text = new StringBuilder();
    for (String component : components) {
      text.append('"').append(component).append("\": ");
      text.append(Component.value(component, head)).append('\n');
    }
    return text.append("\"@signature-params\": ").append(canonical()).toString();
  }

  @Nullable Long number(String parameter) throws SignatureRefusedException {
    return parameter(parameter, Long.class, "a whole number");
  }

  @Nullable String string(String parameter) throws SignatureRefusedException {
    return parameter(parameter, String.class, "a quoted string");
  }

  private <T> @Nullable T parameter(String name, Class<T> type, String words)
      throws SignatureRefusedException {
    Object value = parameters.get(name);
    if (value != null && !type.isInstance(value)) {
      throw new SignatureRefusedException(
          RefusalReason.UNSUPPORTED_PARAMETER,
          "Signature-Input: the parameter %s has to be %s".formatted(name, words));
    }
    return value == null ? null : type.cast(value);
  }
}
