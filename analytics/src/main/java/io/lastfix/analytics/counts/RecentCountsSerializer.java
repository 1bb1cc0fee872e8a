package io.lastfix.analytics.counts;

import static io.lastfix.serialization.BinaryFormat.readVarint;
import static io.lastfix.serialization.BinaryFormat.readVarint32;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: varint number of windows, for each: zigzag window less the one before (the
 * first: less 0), varint number, varint rev.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
final class RecentCountsSerializer extends VersionedSerializer<RecentCounts> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  RecentCountsSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(RecentCounts counts, DataOutputView target) throws IOException {
    writeVarint(counts.size(), target);
    long before = 0;
    for (int i = 0; i < counts.size(); i++) {
      writeZigzag(counts.window(i) - before, target);
      writeVarint(counts.number(i), target);
      writeVarint(counts.rev(i), target);
      before = counts.window(i);
    }
  }

  @Override
  protected RecentCounts read(DataInputView source, int version) throws IOException {
    int size = readVarint32(source);
    long[] windows = new long[size];
    long[] numbers = new long[size];
    int[] revs = new int[size];
    long before = 0;
    for (int i = 0; i < size; i++) {
      before += readZigzag(source);
      windows[i] = before;
      numbers[i] = readVarint(source);
      revs[i] = readVarint32(source);
    }
    return new RecentCounts(windows, numbers, revs, size);
  }

  @Override
  protected RecentCounts copyOf(RecentCounts counts) {
    return counts.copy();
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public RecentCounts createInstance() {
    return new RecentCounts();
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<RecentCounts> {
    /** Called by Flink. */
    public Snapshot() {
      super(RecentCountsSerializer::new);
    }
  }
}
