package io.lastfix.audit;

import io.lastfix.audit.Discrepancy.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The counts and discrepancies of a running audit. */
final class Findings {
  private final int shown;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, List<Discrepancy>> first = new EnumMap<>(Kind.class);

  long messages;
  long records;
  long rejectedForGood;
  long rejectedReadableNow;
  long replayable;
  long recovered;
  long notRecords;
  long erased;
  long notDue;
  long rejectionGone;
  long history;
  long duplicates;
  long undecidedPlaces;
  long undecidedUsers;
  long laterPlaces;
  long laterUsers;
  long notCovered;
  long expired;
  long entriesNotJudged;
  long users;

  /** See {@link AuditReport#topicsNotAudited}. */
  List<String> topicsNotAudited = List.of();

  /** See {@link Coverage#coveredFromMillis}. */
  long coveredFromMillis = Long.MIN_VALUE;

  /**
   * @param shown how many discrepancies of each kind are kept
   */
  Findings(int shown) {
    this.shown = shown;
  }

  void add(Discrepancy discrepancy) {
    add(discrepancy, 1);
  }

  /** Notes a discrepancy that stands for several records. */
  void add(Discrepancy discrepancy, long records) {
    counts.merge(discrepancy.kind(), records, Long::sum);
    List<Discrepancy> kept = first.computeIfAbsent(discrepancy.kind(), absent -> new ArrayList<>());
    if (kept.size() < shown) {
      kept.add(discrepancy);
    }
  }

  long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** The first discrepancies of each kind, by kind. */
  List<Discrepancy> shown() {
    return first.values().stream().flatMap(List::stream).toList();
  }
}
