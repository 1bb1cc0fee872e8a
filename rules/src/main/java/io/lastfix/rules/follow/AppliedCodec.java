package io.lastfix.rules.follow;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages of {@code lastfix.rules.applied} as bytes: a text as key, a JSON object as value.
 * Unknown members are skipped.
 */
public final class AppliedCodec {
  private static final String JOB = "job";
  private static final String SUBTASK = "subtask";
  private static final String OF = "of";
  private static final String ATTEMPT = "attempt";
  private static final String OFFSET = "offset";
  private static final String AT = "at";

  /** Without a limit, one message of another program could fill the memory. */
  private static final int MAX_BYTES = 1 << 12;

  private static final ObjectMapper JSON = new ObjectMapper();

  private AppliedCodec() {}

  /** Returns the key's bytes. */
  public static byte[] key(Applied applied) {
    return applied.key().getBytes(UTF_8);
  }

  /** Returns the value's bytes. */
  public static byte[] value(Applied applied) {
    return JSON.createObjectNode()
        .put(JOB, applied.job())
        .put(SUBTASK, applied.subtask())
        .put(OF, applied.of())
        .put(ATTEMPT, applied.attempt())
        .put(OFFSET, applied.offset())
        .put(AT, applied.at().toString())
        .toString()
        .getBytes(UTF_8);
  }

  /** Reads a value; empty if it is none of these. */
  public static Optional<Applied> read(byte @Nullable [] value) {
    if (value == null || value.length > MAX_BYTES) {
      return Optional.empty();
    }
    try {
      JsonNode json = JSON.readTree(value);
      JsonNode subtask = json.path(SUBTASK);
      JsonNode of = json.path(OF);
      JsonNode attempt = json.path(ATTEMPT);
      JsonNode offset = json.path(OFFSET);
      if (!json.path(JOB).isTextual()
          || !subtask.isInt()
          || !of.isInt()
          || !attempt.isInt()
          || !offset.isIntegralNumber()
          || !offset.canConvertToLong()) {
        return Optional.empty();
      }
      return Optional.of(
          new Applied(
              json.path(JOB).textValue(),
              subtask.intValue(),
              of.intValue(),
              attempt.intValue(),
              offset.longValue(),
              Instant.parse(json.path(AT).asText())));
    } catch (IOException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }
}
