package io.lastfix.audit;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.store.audit.AuditResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The result of an audit. Records in = history + duplicates + rejected + not records + forgotten +
 * not due + missing + neither + those whose rejections are gone + expired.
 *
 * @param findings what was counted and found
 */
public record AuditReport(@JsonUnwrapped Findings findings) {
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
    return !findings.counts().isEmpty();
  }

  /** The number of records, documents and messages that could not be judged. */
  @JsonProperty("notJudged")
  public long notJudged() {
    return findings.notDue
        + undecided()
        + findings.expired
        + findings.rejectionGone
        + findings.entriesNotJudged;
  }

  /**
   * The number of stored documents that could hide a wrong position. Those of expired partitions do
   * not count, because they will be dropped.
   */
  @JsonProperty("undecided")
  public long undecided() {
    return findings.undecidedPlaces + findings.undecidedUsers + findings.notCovered;
  }

  /** The number of discrepancies of that kind. */
  public long count(Kind kind) {
    return findings.count(kind);
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
        findings.records,
        findings.history,
        findings.duplicates,
        findings.rejected(),
        findings.counts().values().stream().mapToLong(Long::longValue).sum(),
        notJudged() + findings.topicsNotAudited.size(),
        undecided(),
        verdict());
  }

  /**
   * The account for the user: records in, and where they are. Before it the topics that were not
   * read, since they may explain what the account calls extra.
   */
  public List<String> toLines() {
    List<String> lines = new ArrayList<>();
    if (!findings.topicsNotAudited.isEmpty()) {
      lines.add(
          "Not audited: "
              + String.join(", ", findings.topicsNotAudited)
              + ". No profile of profiles.names reads them, so documents that the job stored from"
              + " them count as extra or different. Run the audit with the job's own configuration,"
              + " or add their profiles to profiles.names");
    }
    List<String> sum = new ArrayList<>();
    sum.add(
        format(
            "Records in %,d = History %,d + duplicates %,d + rejected %,d",
            findings.records, findings.history, findings.duplicates, findings.rejected()));
    addIf(sum, "not records %,d", findings.notRecords);
    addIf(sum, "erased %,d", findings.erased);
    addIf(sum, "not due yet %,d", findings.notDue);
    addIf(sum, "missing %,d", count(Kind.MISSING));
    addIf(sum, "neither stored nor rejected %,d", count(Kind.NEITHER));
    addIf(sum, "rejections gone %,d", findings.rejectionGone);
    addIf(sum, "expired %,d", findings.expired);
    lines.add(String.join(" + ", sum));
    lines.add(
        format("Messages %,d; users at their newest place %,d", findings.messages, findings.users));
    addIf(lines, "Recovered: %,d records that were rejected once are stored", findings.recovered);
    addIf(
        lines,
        "Replayable: %,d rejected records can be read now: run lastfix replay-rejected once the"
            + " cause is fixed (too far ahead: a greater parse.max-timestamp-ahead)",
        findings.replayable);
    addIf(
        lines,
        "By a later catalogue entry: %,d records have the position that the newest entry gives"
            + " for their time. It was published after them, so the job read them late, for"
            + " example after a stop",
        findings.laterPlaces);
    addIf(
        lines,
        "By a later catalogue entry: the Last Known Location of %,d users; History does not hold"
            + " the same position",
        findings.laterUsers);
    addIf(
        lines,
        "Cannot be judged: the coordinates of %,d records, whose catalogue entry was replaced or"
            + " is gone",
        findings.undecidedPlaces);
    addIf(
        lines,
        "Cannot be judged: the Last Known Location of %,d users; only an entry that was replaced"
            + " or published later gives it",
        findings.undecidedUsers);
    addIf(
        lines,
        "Cannot be judged: %,d catalogue messages that are no entries, and whose rejections may"
            + " be gone",
        findings.entriesNotJudged);
    addIf(
        lines,
        "Not judged: %,d records of partitions that are older than history.retention, stored or"
            + " not",
        findings.expired);
    Instant coveredFrom = findings.coveredFrom();
    addIf(
        lines,
        "Not covered: %,d documents from before the beginning of the topics"
            + (coveredFrom == null
                ? ""
                : "; --from %s judges what the topics cover".formatted(coveredFrom)),
        findings.notCovered);
    findings.counts().forEach((kind, count) -> addDiscrepancies(lines, kind, count));
    return lines;
  }

  private void addDiscrepancies(List<String> lines, Kind kind, long count) {
    List<Discrepancy> first = findings.first(kind);
    lines.add(format("%,d %s:", count, kind.words()));
    first.forEach(discrepancy -> lines.add("  " + discrepancy.toLine()));
    addIf(lines, "  and %,d more", count - first.size());
  }

  /** The verdict in one line. */
  public String verdict() {
    return findings.topicsNotAudited.isEmpty()
        ? verdictOfAudited()
        : "not audited: %s; of the other topics: %s"
            .formatted(String.join(", ", findings.topicsNotAudited), verdictOfAudited());
  }

  private String verdictOfAudited() {
    if (isClean()) {
      return "clean: both collections hold what the topics contain";
    }
    String found =
        differs()
            ? findings.counts().entrySet().stream()
                .map(entry -> format("%,d %s", entry.getValue(), entry.getKey().words()))
                .collect(Collectors.joining(", "))
            : "nothing differs";
    return notJudged() == 0 ? found : found + "; " + describeNotJudged();
  }

  private String describeNotJudged() {
    List<String> parts = new ArrayList<>();
    addIf(parts, "%,d not due yet", findings.notDue);
    addIf(parts, "%,d coordinates undecided", findings.undecidedPlaces + findings.undecidedUsers);
    addIf(parts, "%,d not covered", findings.notCovered);
    addIf(parts, "%,d expired", findings.expired);
    addIf(parts, "%,d rejections gone", findings.rejectionGone + findings.entriesNotJudged);
    String words = format("%,d not judged: %s", notJudged(), String.join(", ", parts));
    return undecided() == 0
        ? words
        : words + format("; %,d of these could hide a wrong position", undecided());
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
