package io.lastfix.console.health;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a part of the health.
 *
 * @param state {@code ok}, {@code unavailable} or {@code off}
 * @param problem why it is not ok; null: it is
 * @param value what was read; null: it is not ok
 */
public record PartState(String state, @Nullable String problem, @Nullable Object value) {
  private static final String OK = "ok";
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(
              new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  /** A part that was read. */
  public static PartState ok(Object value) {
    return new PartState(OK, null, value);
  }

  /** A part whose server does not answer. */
  public static PartState unavailable(String problem) {
    return new PartState("unavailable", problem, null);
  }

  /** A part of which there is nothing to read. */
  static PartState off(String absence) {
    return new PartState("off", absence, null);
  }

  /** Returns whether it was read. */
  public boolean isOk() {
    return state.equals(OK);
  }

  /** What was read, if it is of that type. */
  public <T> Optional<T> as(Class<T> type) {
    return Optional.ofNullable(value).filter(type::isInstance).map(type::cast);
  }

  /** The state and the problem, followed by the fields of the value. */
  public ObjectNode toJson() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("state", state);
    if (problem != null) {
      node.put("problem", problem);
    }
    return value == null ? node : node.setAll(JSON.<ObjectNode>valueToTree(value));
  }
}
