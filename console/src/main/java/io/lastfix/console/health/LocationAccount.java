package io.lastfix.console.health;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.lastfix.cluster.flink.Ledger;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The account of the location job since its tasks last started, and its own ledger. The numbers
 * since the start come from several answers of Flink, so {@code difference} also has what was on
 * its way between them; those of the ledger are of one instant.
 *
 * @param job its name
 * @param started when
 * @param ageSeconds how long no TaskManager has reported other numbers
 * @param stale whether that is too long: Flink keeps those of a TaskManager that has died
 * @param difference {@code recordsIn} less what became of them
 * @param latencyMillisMedian from Kafka to MongoDB; null before the first record, as the others
 * @param rejectedByReason by reason code; only reasons that occurred
 * @param ledger at the last completed checkpoint; null: the job has none
 */
public record LocationAccount(
    String job,
    Instant started,
    long ageSeconds,
    boolean stale,
    long recordsIn,
    long stored,
    long duplicates,
    long rejected,
    long notRecords,
    long waiting,
    long difference,
    long unlocated,
    double messagesPerSecond,
    double recordsPerSecond,
    @Nullable Long latencyMillisMedian,
    @Nullable Long latencyMillisP95,
    @Nullable Long latencyMillisP99,
    Map<String, Long> rejectedByReason,
    @Nullable DatedLedger ledger) {
  /**
   * A ledger with the start of its checkpoint.
   *
   * @param triggered null: Flink does not list the checkpoint
   */
  public record DatedLedger(@JsonUnwrapped Ledger sums, @Nullable Instant triggered) {}
}
