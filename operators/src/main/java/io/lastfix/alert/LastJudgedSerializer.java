package io.lastfix.alert;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text user, located record; relative to its timestamp zigzag timer.
 *
 * @see BinaryFormat
 */
final class LastJudgedSerializer extends VersionedSerializer<LastJudged> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  LastJudgedSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(LastJudged last, DataOutputView target) throws IOException {
    LocatedRecord record = last.record();
    BinaryFormat.writeText(record.user(), target);
    BinaryFormat.writeLocated(record, target);
    BinaryFormat.writeZigzag(last.timerMillis() - record.timestampMillis(), target);
  }

  @Override
  protected LastJudged read(DataInputView source, int version) throws IOException {
    LocatedRecord record = BinaryFormat.readLocated(BinaryFormat.readText(source), source);
    return new LastJudged(record, record.timestampMillis() + BinaryFormat.readZigzag(source));
  }

  @Override
  public LastJudged createInstance() {
    return new LastJudged(
        new LocatedRecord("-", new CellId(0, 0, 0, 0), 0, null), LastJudged.NO_TIMER);
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<LastJudged> {
    /** Called by Flink. */
    public Snapshot() {
      super(LastJudgedSerializer::new);
    }
  }
}
