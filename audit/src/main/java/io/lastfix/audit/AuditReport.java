package io.lastfix.audit;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lastfix.audit.Discrepancy.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an audit found: of records that can be read, those of the times it judges; of what cannot be
 * read, which has no time, all. Records in = history + duplicates + rejected + forgotten + not due
 * + missing + neither + those whose rejections are gone + expired.
 *
 * @param messages messages of the location topics
 * @param records records in them; what is left of a message that cannot be read on counts as one
 * @param history records that are in History, each once
 * @param duplicates further sightings of the same records
 * @param rejected records that were rejected, and not stored since
 * @param forgotten records that must not be stored, since their users were forgotten
 * @param notDue records of messages that are not committed yet, and not stored either
 * @param rejectionGone records that cannot be read, whose rejections may be gone from their topic
 * @param users users whose Last Known Location is right
 * @param recovered records that were rejected and are stored now
 * @param replayable rejected records that can be read now; a replay rejects one again if the reason
 *     still holds, as of one too far ahead of its message
 * @param undecidedPlaces records in History whose coordinates the catalogue's topic can neither
 *     confirm nor refute
 * @param undecidedUsers users of whose Last Known Location the same is true, and that History does
 *     not have so
 * @param laterPlaces records in History with the position that the newest catalogue entry gives for
 *     their time, though it came long after them
 * @param laterUsers users of whose Last Known Location the same is true, and that History does not
 *     have so
 * @param notCovered documents from before what the topics still hold
 * @param coveredFrom the topics hold the messages of all documents since then; null if of all or of
 *     none
 * @param expired records of partitions that are expired, which may have been stored, rejected or
 *     dropped since
 * @param entriesNotJudged messages of the catalogue's topic that are no entries, whose rejections
 *     may be gone, or where no consumer group tells what was read
 * @param counts how many discrepancies of each kind; none: not named
 * @param discrepancies the first of each kind
 */
public record AuditReport(
    long messages,
    long records,
    long history,
    long duplicates,
    long rejected,
    long forgotten,
    long notDue,
    long rejectionGone,
    long users,
    long recovered,
    long replayable,
    long undecidedPlaces,
    long undecidedUsers,
    long laterPlaces,
    long laterUsers,
    long notCovered,
    @Nullable Instant coveredFrom,
    long expired,
    long entriesNotJudged,
    Map<Kind, Long> counts,
    List<Discrepancy> discrepancies) {

  static AuditReport of(Findings findings) {
    Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      if (findings.count(kind) > 0) {
        counts.put(kind, findings.count(kind));
      }
    }
    return new AuditReport(
        findings.messages,
        findings.records,
        findings.history,
        findings.duplicates,
        findings.rejectedForGood + findings.rejectedReadableNow,
        findings.forgotten,
        findings.notDue,
        findings.rejectionGone,
        findings.users,
        findings.recovered,
        findings.replayable,
        findings.undecidedPlaces,
        findings.undecidedUsers,
        findings.laterPlaces,
        findings.laterUsers,
        findings.notCovered,
        instant(findings.coveredFromMillis),
        findings.expired,
        findings.entriesNotJudged,
        counts,
        findings.shown());
  }

  private static @Nullable Instant instant(long coveredFromMillis) {
    return coveredFromMillis == Long.MIN_VALUE || coveredFromMillis == FirstMessages.NEVER
        ? null
        : Instant.ofEpochMilli(coveredFromMillis);
  }

  /** What the caller demands of an audit that ends well. */
  public enum Demanded {
    /** No discrepancy. */
    LENIENT,
    /** Neither a discrepancy nor anything that a wrong position could hide in. */
    USUAL,
    /** All could be judged, and nothing differs. */
    STRICT
  }

  /** 0 if the audit ends as demanded, else 1. */
  public int exitCode(Demanded demanded) {
    boolean isMet =
        switch (demanded) {
          case LENIENT -> !differs();
          case USUAL -> !differs() && undecided() == 0;
          case STRICT -> isClean();
        };
    return isMet ? 0 : 1;
  }

  /** Whether everything could be judged, and is as it must be. */
  @JsonProperty("clean")
  public boolean isClean() {
    return !differs() && notJudged() == 0;
  }

  /** Whether anything is not as it must be. */
  @JsonProperty("differs")
  public boolean differs() {
    return !counts.isEmpty();
  }

  /** How many records, documents and messages could not be judged. */
  @JsonProperty("notJudged")
  public long notJudged() {
    return notDue + undecided() + expired + rejectionGone + entriesNotJudged;
  }

  /**
   * How many stored documents there are in which a wrong position could hide. Those of expired
   * partitions are not among them: they are about to be dropped.
   */
  @JsonProperty("undecided")
  public long undecided() {
    return undecidedPlaces + undecidedUsers + notCovered;
  }

  /** How many of that kind. */
  public long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** The sum, for a person: records in and where they are. */
  public List<String> toLines() {
    List<String> lines = new ArrayList<>();
    StringBuilder sum =
        new StringBuilder(
            format(
                "Records in %,d = History %,d + duplicates %,d + rejected %,d",
                records, history, duplicates, rejected));
    appendIf(sum, " + forgotten %,d", forgotten);
    appendIf(sum, " + not due yet %,d", notDue);
    appendIf(sum, " + missing %,d", count(Kind.MISSING));
    appendIf(sum, " + neither stored nor rejected %,d", count(Kind.NEITHER));
    appendIf(sum, " + rejections gone %,d", rejectionGone);
    appendIf(sum, " + expired %,d", expired);
    lines.add(sum.toString());
    lines.add(format("Messages %,d; users at their newest place %,d", messages, users));
    addIf(lines, "Recovered: %,d records that were rejected once are stored", recovered);
    addIf(
        lines,
        "Replayable: %,d rejected records can be read now: run lastfix replay-rejected once the"
            + " cause is mended (too far ahead: a greater parse.max-timestamp-ahead)",
        replayable);
    addIf(
        lines,
        "By a later catalogue entry: %,d records have the position that the newest entry gives for"
            + " their time; it was published after them, so the job read them late, as after a stop",
        laterPlaces);
    addIf(
        lines,
        "By a later catalogue entry: the Last Known Location of %,d users, which History does not"
            + " have so",
        laterUsers);
    addIf(
        lines,
        "Cannot be judged: the coordinates of %,d records, whose catalogue entry was overtaken or"
            + " is gone",
        undecidedPlaces);
    addIf(
        lines,
        "Cannot be judged: the Last Known Location of %,d users, which only an entry gives that was"
            + " overtaken or came later",
        undecidedUsers);
    addIf(
        lines,
        "Cannot be judged: %,d of the catalogue's messages that are no entries, whose rejections"
            + " may be gone",
        entriesNotJudged);
    addIf(
        lines,
        "Not judged: %,d records of partitions that are older than history.retention, stored or"
            + " not",
        expired);
    addIf(
        lines,
        "Not covered: %,d documents from before the beginning of the topics"
            + (coveredFrom == null
                ? ""
                : "; --from %s judges what the topics cover".formatted(coveredFrom)),
        notCovered);
    counts.forEach(
        (kind, count) -> {
          lines.add(format("%,d %s:", count, kind.words()));
          discrepancies.stream()
              .filter(discrepancy -> discrepancy.kind() == kind)
              .forEach(discrepancy -> lines.add("  " + discrepancy.toLine()));
          long more = count - discrepancies.stream().filter(d -> d.kind() == kind).count();
          addIf(lines, "  and %,d more", more);
        });
    return lines;
  }

  /** The verdict in one line. */
  public String verdict() {
    if (isClean()) {
      return "clean: both collections hold what the topics say";
    }
    String found =
        differs()
            ? counts.entrySet().stream()
                .map(entry -> format("%,d %s", entry.getValue(), entry.getKey().words()))
                .collect(Collectors.joining(", "))
            : "nothing differs";
    return notJudged() == 0 ? found : found + "; " + wordsOfNotJudged();
  }

  private String wordsOfNotJudged() {
    List<String> parts = new ArrayList<>();
    addIf(parts, "%,d not due yet", notDue);
    addIf(parts, "%,d coordinates undecided", undecidedPlaces + undecidedUsers);
    addIf(parts, "%,d not covered", notCovered);
    addIf(parts, "%,d expired", expired);
    addIf(parts, "%,d rejections gone", rejectionGone + entriesNotJudged);
    String words = format("%,d not judged: %s", notJudged(), String.join(", ", parts));
    return undecided() == 0
        ? words
        : words + format("; a wrong position could hide in %,d of these", undecided());
  }

  private static void appendIf(StringBuilder line, String format, long count) {
    if (count > 0) {
      line.append(format(format, count));
    }
  }

  private static void addIf(List<String> lines, String format, long count) {
    if (count > 0) {
      lines.add(format(format, count));
    }
  }

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"}) // Formats of this class.
  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
