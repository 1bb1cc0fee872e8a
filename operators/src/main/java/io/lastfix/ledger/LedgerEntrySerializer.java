package io.lastfix.ledger;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.InstantiationUtil;

/**
 * Layout of version 1: in, stored, duplicates, erased, rejected, notRecords, waiting, checkpoint
 * (long each).
 */
public final class LedgerEntrySerializer extends VersionedSerializer<LedgerEntry> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  LedgerEntrySerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(LedgerEntry entry, DataOutputView target) throws IOException {
    target.writeLong(entry.in());
    target.writeLong(entry.stored());
    target.writeLong(entry.duplicates());
    target.writeLong(entry.erased());
    target.writeLong(entry.rejected());
    target.writeLong(entry.notRecords());
    target.writeLong(entry.waiting());
    target.writeLong(entry.checkpoint());
  }

  @Override
  protected LedgerEntry read(DataInputView source, int version) throws IOException {
    return new LedgerEntry(
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong(),
        source.readLong());
  }

  @Override
  public LedgerEntry createInstance() {
    return LedgerEntry.NONE;
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<LedgerEntry> {
    /** Called by Flink. */
    public Snapshot() {
      super(LedgerEntrySerializer::new);
    }
  }

  /** Serializes an entry that leaves a sink, in this layout. */
  static final class OfSink implements SimpleVersionedSerializer<LedgerEntry> {
    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(LedgerEntry entry) throws IOException {
      return InstantiationUtil.serializeToByteArray(new LedgerEntrySerializer(), entry);
    }

    @Override
    public LedgerEntry deserialize(int version, byte[] bytes) throws IOException {
      return InstantiationUtil.deserializeFromByteArray(
          new LedgerEntrySerializer().reading(version), bytes);
    }
  }
}
