package io.lastfix.ledger;

import io.lastfix.serialization.VersionedTypeInformation;
import java.io.Serializable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.OutputTag;

/**
 * Counts of records: what one subtask has counted between two checkpoint barriers, or the sum of
 * all such counts.
 *
 * @param in what the parser found in messages; an unreadable message counts as one
 * @param stored records that became a new document, or changed one
 * @param duplicates records that History already had. After a failure they include records that the
 *     job itself had stored after the checkpoint that it resumes from.
 * @param erased records that are not stored because their user is erased
 * @param rejected records that are in the topic of rejected messages
 * @param notRecords what their profile knows to be no record, such as a device's goodbye
 * @param waiting the change of the number of records that wait for their cell. A subtask begins at
 *     0, so its first entry includes those that it has restored.
 * @param checkpoint the checkpoint in front of whose barrier the entry was sent, {@link #END} after
 *     the last record; of a sum, the greatest
 */
public record LedgerEntry(
    long in,
    long stored,
    long duplicates,
    long erased,
    long rejected,
    long notRecords,
    long waiting,
    long checkpoint)
    implements Serializable {
  /** Stands for a checkpoint if the input has ended. */
  public static final long END = Long.MAX_VALUE;

  /** Nothing was counted. */
  public static final LedgerEntry NONE = new LedgerEntry(0, 0, 0, 0, 0, 0, 0, 0);

  /** Its serializer's type. */
  public static final TypeInformation<LedgerEntry> TYPE =
      new VersionedTypeInformation<>(LedgerEntry.class, new LedgerEntrySerializer());

  /** The side output through which an operator sends its entries. */
  public static final OutputTag<LedgerEntry> OUTPUT = new OutputTag<>("ledger", TYPE);

  /** What the parser found. */
  public static LedgerEntry ofIn(long records) {
    return new LedgerEntry(records, 0, 0, 0, 0, 0, 0, 0);
  }

  /** Records that a sink has written. */
  public static LedgerEntry ofStored(long stored, long duplicates) {
    return new LedgerEntry(0, stored, duplicates, 0, 0, 0, 0, 0);
  }

  /** Records of erased users. */
  public static LedgerEntry ofErased(long records) {
    return new LedgerEntry(0, 0, 0, records, 0, 0, 0, 0);
  }

  /** Records that were rejected. */
  public static LedgerEntry ofRejected(long records) {
    return new LedgerEntry(0, 0, 0, 0, records, 0, 0, 0);
  }

  /** What is no record. */
  public static LedgerEntry ofNotRecords(long count) {
    return new LedgerEntry(0, 0, 0, 0, 0, count, 0, 0);
  }

  /** Records that wait. */
  public static LedgerEntry ofWaiting(long records) {
    return new LedgerEntry(0, 0, 0, 0, 0, 0, records, 0);
  }

  /** Returns these counts, sent in front of the barrier of a checkpoint. */
  public LedgerEntry at(long checkpointId) {
    return new LedgerEntry(
        in, stored, duplicates, erased, rejected, notRecords, waiting, checkpointId);
  }

  /** The sum of both. */
  public LedgerEntry plus(LedgerEntry other) {
    return new LedgerEntry(
        in + other.in,
        stored + other.stored,
        duplicates + other.duplicates,
        erased + other.erased,
        rejected + other.rejected,
        notRecords + other.notRecords,
        waiting + other.waiting,
        Math.max(checkpoint, other.checkpoint));
  }

  /** The difference of both. */
  public LedgerEntry minus(LedgerEntry other) {
    return new LedgerEntry(
        in - other.in,
        stored - other.stored,
        duplicates - other.duplicates,
        erased - other.erased,
        rejected - other.rejected,
        notRecords - other.notRecords,
        waiting - other.waiting,
        checkpoint);
  }

  /**
   * What came in, and of which no operator says what became of it; below 0 if more is accounted
   * for.
   */
  public long unaccounted() {
    return in - stored - duplicates - erased - rejected - notRecords - waiting;
  }
}
