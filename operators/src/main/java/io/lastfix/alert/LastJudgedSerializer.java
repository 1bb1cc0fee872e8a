package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.rules.judge.Silence;
import io.lastfix.rules.judge.Standing;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Layout of version 1: 1 byte of flags (1: record, 2: offline); if there is a record text user,
 * located record and, relative to its timestamp, zigzag arrived; if it is offline zigzag the last
 * sign and, relative to that, zigzag since and zigzag arrived; zigzag timer, relative to the
 * record's timestamp, else to the last sign.
 *
 * @see BinaryFormat
 */
final class LastJudgedSerializer extends VersionedSerializer<LastJudged> {
  static final int VERSION = 1;

  private static final int RECORD = 1;
  private static final int OFFLINE = 2;

  /** Reads the newest version. */
  LastJudgedSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(LastJudged last, DataOutputView target) throws IOException {
    LocatedRecord record = last.record();
    Silence offline = last.offline();
    target.writeByte((record == null ? 0 : RECORD) | (offline == null ? 0 : OFFLINE));
    if (record != null) {
      BinaryFormat.writeText(record.user(), target);
      BinaryFormat.writeLocated(record, target);
      BinaryFormat.writeZigzag(last.arrivedMillis() - record.timestampMillis(), target);
    }
    if (offline != null) {
      BinaryFormat.writeZigzag(offline.atMillis(), target);
      BinaryFormat.writeZigzag(offline.sinceMillis() - offline.atMillis(), target);
      BinaryFormat.writeZigzag(offline.arrivedMillis() - offline.atMillis(), target);
    }
    BinaryFormat.writeZigzag(last.timerMillis() - baseMillis(record, offline), target);
  }

  /** Returns what the timer is relative to. */
  private static long baseMillis(@Nullable LocatedRecord record, @Nullable Silence offline) {
    if (record != null) {
      return record.timestampMillis();
    }
    return offline == null ? 0 : offline.atMillis();
  }

  @Override
  protected LastJudged read(DataInputView source, int version) throws IOException {
    int flags = source.readByte();
    LocatedRecord record = null;
    long arrivedMillis = Standing.NONE;
    if ((flags & RECORD) != 0) {
      record = BinaryFormat.readLocated(BinaryFormat.readText(source), source);
      arrivedMillis = record.timestampMillis() + BinaryFormat.readZigzag(source);
    }
    Silence offline = (flags & OFFLINE) == 0 ? null : readOffline(source);
    long timerMillis = baseMillis(record, offline) + BinaryFormat.readZigzag(source);
    return new LastJudged(record, arrivedMillis, offline, timerMillis);
  }

  private static Silence readOffline(DataInputView source) throws IOException {
    long atMillis = BinaryFormat.readZigzag(source);
    long sinceMillis = atMillis + BinaryFormat.readZigzag(source);
    return new Silence(atMillis, sinceMillis, atMillis + BinaryFormat.readZigzag(source));
  }

  @Override
  public LastJudged createInstance() {
    return new LastJudged(null, Standing.NONE, null, LastJudged.NO_TIMER);
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<LastJudged> {
    /** Called by Flink. */
    public Snapshot() {
      super(LastJudgedSerializer::new);
    }
  }
}
