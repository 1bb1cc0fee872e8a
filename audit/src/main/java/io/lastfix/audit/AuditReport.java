package io.lastfix.audit;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.store.audit.AuditResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of an audit. It counts readable records within the audited range, and all that have no
 * time: unreadable records, and what is no record. Records in = history + duplicates + rejected +
 * not records + forgotten + not due + missing + neither + those whose rejections are gone +
 * expired.
 *
 * @param messages messages of the location topics
 * @param records records in them; the unreadable rest of a message counts as one
 * @param history records that are in History, each once
 * @param duplicates further sightings of the same records
 * @param rejected records that were rejected, and not stored since
 * @param notRecords what its profile knows to be no record: in no collection, and not rejected
 * @param forgotten records that must not be stored, because their users were erased
 * @param notDue records of messages that are neither committed nor stored yet
 * @param rejectionGone unreadable records whose rejections may be gone from their topic
 * @param users users with a correct Last Known Location
 * @param recovered records that were rejected and are stored now
 * @param replayable rejected records that are readable now; a replay rejects a record again if the
 *     reason still holds, such as a time too far ahead of its message
 * @param undecidedPlaces records in History whose coordinates the catalogue's topic can neither
 *     confirm nor refute
 * @param undecidedUsers users for whose Last Known Location the same holds, and that History does
 *     not have so
 * @param laterPlaces records in History with the position that the newest catalogue entry gives for
 *     their time, although it was published long after them
 * @param laterUsers users for whose Last Known Location the same holds, and that History does not
 *     have so
 * @param notCovered documents older than the topics' remaining messages
 * @param coveredFrom the instant from which on the topics hold the messages of all documents; null
 *     if of all or of none
 * @param expired records of expired partitions, which may have been stored, rejected or dropped
 *     since
 * @param entriesNotJudged messages of the catalogue's topic that are not entries, if their
 *     rejections may be gone, or no consumer group tells which messages were read
 * @param topicsNotAudited the location topics that no audited profile reads, and that have or had
 *     messages; a document from such a message counts as extra
 * @param counts discrepancies by kind; kinds without any are left out
 * @param discrepancies the first of each kind
 */
public record AuditReport(
    long messages,
    long records,
    long history,
    long duplicates,
    long rejected,
    long notRecords,
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
    List<String> topicsNotAudited,
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
        findings.notRecords,
        findings.erased,
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
        findings.topicsNotAudited,
        counts,
        findings.shown());
  }

  private static @Nullable Instant instant(long coveredFromMillis) {
    return coveredFromMillis == Long.MIN_VALUE || coveredFromMillis == FirstMessages.NEVER
        ? null
        : Instant.ofEpochMilli(coveredFromMillis);
  }

  /** The caller's conditions for exit code 0. */
  public enum Demanded {
    /** No discrepancy. */
    LENIENT,
    /** Neither a discrepancy nor a document that could hide a wrong position. */
    DEFAULT,
    /** Everything could be judged, and there is no discrepancy. */
    STRICT
  }

  /** 0 if the audit meets the conditions, else 1. */
  public int exitCode(Demanded demanded) {
    boolean isMet =
        switch (demanded) {
          case LENIENT -> !differs();
          case DEFAULT -> !differs() && undecided() == 0;
          case STRICT -> isClean();
        };
    return isMet ? 0 : 1;
  }

  /** Returns whether everything could be judged, and is correct. */
  @JsonProperty("clean")
  public boolean isClean() {
    return !differs() && notJudged() == 0;
  }

  /** Returns whether there is any discrepancy. */
  @JsonProperty("differs")
  public boolean differs() {
    return !counts.isEmpty();
  }

  /** The number of records, documents and messages that could not be judged. */
  @JsonProperty("notJudged")
  public long notJudged() {
    return notDue + undecided() + expired + rejectionGone + entriesNotJudged;
  }

  /**
   * The number of stored documents that could hide a wrong position. Those of expired partitions do
   * not count, because they will be dropped.
   */
  @JsonProperty("undecided")
  public long undecided() {
    return undecidedPlaces + undecidedUsers + notCovered;
  }

  /** The number of discrepancies of that kind. */
  public long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /**
   * Returns what is kept of the report.
   *
   * @param job the name of the location job
   * @param range that was judged
   * @param at the end of the audit
   */
  public AuditResult toResult(
      String job, AuditRange range, List<String> topics, Instant at, Duration took) {
    return new AuditResult(
        job,
        at,
        took.toMillis(),
        range.from(),
        range.to(),
        topics,
        records,
        history,
        duplicates,
        rejected,
        counts.values().stream().mapToLong(Long::longValue).sum(),
        notJudged() + topicsNotAudited.size(),
        undecided(),
        verdict());
  }

  /**
   * The account for the user: records in, and where they are. Before it the topics that were not
   * read, since they may explain what the account calls extra.
   */
  public List<String> toLines() {
    List<String> lines = new ArrayList<>();
    if (!topicsNotAudited.isEmpty()) {
      lines.add(
          "Not audited: "
              + String.join(", ", topicsNotAudited)
              + ". No profile of profiles.names reads them, so documents that the job stored from"
              + " them count as extra or different. Run the audit with the job's own configuration,"
              + " or add their profiles to profiles.names");
    }
    StringBuilder sum =
        new StringBuilder(
            format(
                "Records in %,d = History %,d + duplicates %,d + rejected %,d",
                records, history, duplicates, rejected));
    appendIf(sum, " + not records %,d", notRecords);
    appendIf(sum, " + erased %,d", forgotten);
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
            + " cause is fixed (too far ahead: a greater parse.max-timestamp-ahead)",
        replayable);
    addIf(
        lines,
        "By a later catalogue entry: %,d records have the position that the newest entry gives"
            + " for their time; it was published after them, so the job read them late, for"
            + " example after a stop",
        laterPlaces);
    addIf(
        lines,
        "By a later catalogue entry: the Last Known Location of %,d users; History does not hold"
            + " the same position",
        laterUsers);
    addIf(
        lines,
        "Cannot be judged: the coordinates of %,d records, whose catalogue entry was replaced or"
            + " is gone",
        undecidedPlaces);
    addIf(
        lines,
        "Cannot be judged: the Last Known Location of %,d users; only an entry that was replaced"
            + " or published later gives it",
        undecidedUsers);
    addIf(
        lines,
        "Cannot be judged: %,d catalogue messages that are no entries, and whose rejections may"
            + " be gone",
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
    return topicsNotAudited.isEmpty()
        ? verdictOfAudited()
        : "not audited: %s; of the other topics: %s"
            .formatted(String.join(", ", topicsNotAudited), verdictOfAudited());
  }

  private String verdictOfAudited() {
    if (isClean()) {
      return "clean: both collections hold what the topics contain";
    }
    String found =
        differs()
            ? counts.entrySet().stream()
                .map(entry -> format("%,d %s", entry.getValue(), entry.getKey().words()))
                .collect(Collectors.joining(", "))
            : "nothing differs";
    return notJudged() == 0 ? found : found + "; " + describeNotJudged();
  }

  private String describeNotJudged() {
    List<String> parts = new ArrayList<>();
    addIf(parts, "%,d not due yet", notDue);
    addIf(parts, "%,d coordinates undecided", undecidedPlaces + undecidedUsers);
    addIf(parts, "%,d not covered", notCovered);
    addIf(parts, "%,d expired", expired);
    addIf(parts, "%,d rejections gone", rejectionGone + entriesNotJudged);
    String words = format("%,d not judged: %s", notJudged(), String.join(", ", parts));
    return undecided() == 0
        ? words
        : words + format("; %,d of these could hide a wrong position", undecided());
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

  @SuppressWarnings({"AnnotateFormatMethod", "FormatStringAnnotation"}) // Constant formats.
  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
