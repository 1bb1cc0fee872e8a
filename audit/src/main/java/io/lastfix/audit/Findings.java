package io.lastfix.audit;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.lastfix.audit.Discrepancy.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The counts and discrepancies of a running audit, which become its {@link AuditReport report}.
 * Those of records are of readable records within the audited range, and of all that have no time:
 * unreadable records, and what is no record.
 */
@JsonAutoDetect(fieldVisibility = Visibility.NON_PRIVATE)
final class Findings {
  private final int shown;
  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, List<Discrepancy>> first = new EnumMap<>(Kind.class);

  /** Messages of the location topics. */
  long messages;

  /** Records in them; the unreadable rest of a message counts as one. */
  long records;

  /** Records that are in History, each once. */
  long history;

  /** Further sightings of the same records. */
  long duplicates;

  @JsonIgnore long rejectedForGood;
  @JsonIgnore long rejectedReadableNow;

  /** What its profile knows to be no record: in no collection, and not rejected. */
  long notRecords;

  /** Records that must not be stored, because their users were erased. */
  @JsonProperty("forgotten")
  long erased;

  /** Records of messages that are neither committed nor stored yet. */
  long notDue;

  /** Unreadable records whose rejections may be gone from their topic. */
  long rejectionGone;

  /** Users with a correct Last Known Location. */
  long users;

  /** Records that were rejected and are stored now. */
  long recovered;

  /**
   * Rejected records that are readable now. A replay rejects a record again if the reason still
   * holds, such as a time too far ahead of its message.
   */
  long replayable;

  /** Records in History whose coordinates the catalogue's topic can neither confirm nor refute. */
  long undecidedPlaces;

  /** Users for whose Last Known Location the same holds, and that History does not have so. */
  long undecidedUsers;

  /**
   * Records in History with the position that the newest catalogue entry gives for their time,
   * although it was published long after them.
   */
  long laterPlaces;

  /** Users for whose Last Known Location the same holds, and that History does not have so. */
  long laterUsers;

  /** Documents older than the topics' remaining messages. */
  long notCovered;

  /** See {@link Coverage#coveredFromMillis}. */
  @JsonIgnore long coveredFromMillis = Long.MIN_VALUE;

  /** Records of expired partitions, which may have been stored, rejected or dropped since. */
  long expired;

  /**
   * Messages of the catalogue's topic that are not entries, if their rejections may be gone, or no
   * consumer group tells which messages were read.
   */
  long entriesNotJudged;

  /**
   * The location topics that no audited profile reads, and that have or had messages. A document
   * from such a message counts as extra.
   */
  List<String> topicsNotAudited = List.of();

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

  /** Records that were rejected, and not stored since. */
  @JsonProperty("rejected")
  long rejected() {
    return rejectedForGood + rejectedReadableNow;
  }

  /**
   * The instant from which on the topics hold the messages of all documents; null if of all or of
   * none.
   */
  @JsonProperty("coveredFrom")
  @Nullable Instant coveredFrom() {
    return coveredFromMillis == Long.MIN_VALUE || coveredFromMillis == FirstMessages.NEVER
        ? null
        : Instant.ofEpochMilli(coveredFromMillis);
  }

  /** Discrepancies by kind; kinds without any are left out. */
  @JsonProperty("counts")
  Map<Kind, Long> counts() {
    return counts;
  }

  long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** The first discrepancies of a kind. */
  List<Discrepancy> first(Kind kind) {
    return first.getOrDefault(kind, List.of());
  }

  /** The first discrepancies of each kind, by kind. */
  @JsonProperty("discrepancies")
  List<Discrepancy> shown() {
    return first.values().stream().flatMap(List::stream).toList();
  }
}
