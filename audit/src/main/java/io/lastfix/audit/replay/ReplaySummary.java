package io.lastfix.audit.replay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of a replay. Chosen rejections = sent + repeated + of the catalogue + gone; sent ones
 * are counted by message.
 *
 * @param isDryRun whether nothing was sent
 * @param isList whether a list was requested
 * @param rejections messages read from the rejected topic
 * @param sent messages sent back, by topic and reason (the first, if there are several)
 * @param repeated further rejections of the same message, and messages with the same key and bytes
 * @param catalog rejections of the catalogue's topic, which are never sent back
 * @param gone messages whose bytes were too many for the rejected topic, and that are no longer in
 *     their own either
 * @param listed the newest chosen rejections, the newest first, if a list was requested
 */
public record ReplaySummary(
    @JsonProperty("dryRun") boolean isDryRun,
    @JsonIgnore boolean isList,
    long rejections,
    Map<String, Map<String, Long>> sent,
    long repeated,
    long catalog,
    List<String> gone,
    List<ListedRejection> listed) {

  /** The number of sent messages. */
  @JsonProperty("messages")
  public long messages() {
    return sent.values().stream()
        .flatMap(byReason -> byReason.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  private String outcome() {
    if (isList) {
      return "Selected, and did not send back,";
    }
    return isDryRun ? "Would send back" : "Sent back";
  }

  public List<String> toLines() {
    List<String> lines = new ArrayList<>();
    listed.forEach(rejection -> lines.add(rejection.toLine()));
    long chosen = messages() + repeated + catalog + gone.size();
    if (!listed.isEmpty() && listed.size() < chosen) {
      lines.add("and %,d older ones".formatted(chosen - listed.size()));
    }
    lines.add(
        "%s %,d message%s; %,d rejections read, %,d of them of a message that was already selected"
            .formatted(outcome(), messages(), messages() == 1 ? "" : "s", rejections, repeated));
    sent.forEach(
        (topic, byReason) ->
            byReason.forEach(
                (reason, count) -> lines.add("  %s  %s  %,d".formatted(topic, reason, count))));
    if (catalog > 0) {
      lines.add(
          "Left out: %,d of the catalogue's topic, since an old entry would replace a newer one: import the catalogue again"
              .formatted(catalog));
    }
    gone.forEach(place -> lines.add("Gone: " + place));
    return lines;
  }
}
