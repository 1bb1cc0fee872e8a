package io.lastfix.audit.signature;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of {@code lastfix audit --signatures}. Messages = proved + unproved + unsigned +
 * forged + unknown key.
 *
 * @param messages messages of the location topics
 * @param proved messages whose sender is proved
 * @param unproved messages whose sender is a user of HTTP Basic: the job trusts the header that
 *     names it, without a proof
 * @param unsigned messages without a signature, and without a sender that the job would trust
 * @param forged messages that were changed, or whose sender is another one
 * @param unknownKey messages that cannot be checked, because their key is not here
 * @param notItsUser of the proved ones, those with a record of a user that is neither the sender
 *     nor one that its group may speak for now
 * @param forgedByReason the forged ones by reason
 * @param found the first of each kind
 */
public record SignatureReport(
    long messages,
    long proved,
    long unproved,
    long unsigned,
    long forged,
    long unknownKey,
    long notItsUser,
    Map<String, Long> forgedByReason,
    List<Found> found) {

  /** What is worth a look. */
  public enum Kind {
    FORGED("forged"),
    UNKNOWN_KEY("unknown key"),
    UNPROVED("unproved"),
    NOT_ITS_USER("not its user");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /**
   * A message that is worth a look. It names neither device nor user.
   *
   * @param reason a stable word; empty if the kind is enough
   */
  public record Found(Kind kind, String topic, int partition, long offset, String reason) {
    private String toLine() {
      return "%s, partition %d, offset %d%s"
          .formatted(topic, partition, offset, reason.isEmpty() ? "" : "  " + reason);
    }
  }

  /** 1 if a message is forged, else 0; with {@code strict} also 1 if a key is unknown. */
  public int exitCode(boolean strict) {
    return forged > 0 || (strict && unknownKey > 0) ? 1 : 0;
  }

  /** Returns whether no message is forged. */
  @JsonProperty("clean")
  public boolean isClean() {
    return forged == 0;
  }

  /** The account for the user. */
  public List<String> toLines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Messages %,d = proved %,d + unproved %,d + unsigned %,d + forged %,d + unknown key %,d"
            .formatted(messages, proved, unproved, unsigned, forged, unknownKey));
    addKind(lines, Kind.FORGED, forged);
    addKind(lines, Kind.UNKNOWN_KEY, unknownKey);
    addKind(lines, Kind.UNPROVED, unproved);
    addKind(lines, Kind.NOT_ITS_USER, notItsUser);
    return lines;
  }

  private void addKind(List<String> lines, Kind kind, long count) {
    if (count == 0) {
      return;
    }
    List<Found> first = found.stream().filter(it -> it.kind() == kind).toList();
    lines.add("%,d %s:".formatted(count, kind.words));
    first.forEach(it -> lines.add("  " + it.toLine()));
    if (count > first.size()) {
      lines.add("  and %,d more".formatted(count - first.size()));
    }
  }

  /** The verdict in one line. */
  public String verdict() {
    String verdict =
        forged == 0
            ? "nothing is forged; %,d messages are proved".formatted(proved)
            : "%,d messages are forged".formatted(forged);
    if (unknownKey > 0) {
      verdict +=
          "; %,d cannot be judged: put their groups' keys into --group-keys".formatted(unknownKey);
    }
    if (unproved > 0) {
      verdict +=
          "; %,d name a user of HTTP Basic, and nothing proves it: none may be there if no route of a gateway is basic"
              .formatted(unproved);
    }
    return verdict;
  }
}
