package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.rules.judge.Standing;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: varint number of standings, for each: text rule, varint version, varint
 * version of the fence, 1 byte of flags (1: on, 2: began, 4: alert); if it began text user, located
 * began and, relative to its timestamp, zigzag due; if there is an alert zigzag its instant; varint
 * counted.
 *
 * @see BinaryFormat
 */
final class StandingsSerializer extends VersionedSerializer<Standings> {
  static final int VERSION = 1;

  private static final int ON = 1;
  private static final int BEGAN = 2;
  private static final int ALERT = 4;

  /** Reads the newest version. */
  StandingsSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(Standings standings, DataOutputView target) throws IOException {
    BinaryFormat.writeVarint(standings.byRule().size(), target);
    for (Map.Entry<String, Standing> standing : standings.byRule().entrySet()) {
      BinaryFormat.writeText(standing.getKey(), target);
      writeStanding(standing.getValue(), target);
    }
  }

  private static void writeStanding(Standing standing, DataOutputView target) throws IOException {
    LocatedRecord began = standing.began();
    boolean hasAlert = standing.alertMillis() != Standing.NONE;
    BinaryFormat.writeVarint(standing.version(), target);
    BinaryFormat.writeVarint(standing.fenceVersion(), target);
    target.writeByte(
        (standing.isOn() ? ON : 0) | (began == null ? 0 : BEGAN) | (hasAlert ? ALERT : 0));
    if (began != null) {
      BinaryFormat.writeText(began.user(), target);
      BinaryFormat.writeLocated(began, target);
      BinaryFormat.writeZigzag(standing.dueMillis() - began.timestampMillis(), target);
    }
    if (hasAlert) {
      BinaryFormat.writeZigzag(standing.alertMillis(), target);
    }
    BinaryFormat.writeVarint(standing.counted(), target);
  }

  @Override
  protected Standings read(DataInputView source, int version) throws IOException {
    int count = BinaryFormat.readVarint32(source);
    Map<String, Standing> standings = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String rule = BinaryFormat.readText(source);
      standings.put(rule, readStanding(source));
    }
    return new Standings(standings);
  }

  private static Standing readStanding(DataInputView source) throws IOException {
    long version = BinaryFormat.readVarint(source);
    long fenceVersion = BinaryFormat.readVarint(source);
    int flags = source.readByte();
    LocatedRecord began = null;
    long dueMillis = Standing.NONE;
    if ((flags & BEGAN) != 0) {
      began = BinaryFormat.readLocated(BinaryFormat.readText(source), source);
      dueMillis = began.timestampMillis() + BinaryFormat.readZigzag(source);
    }
    long alertMillis = (flags & ALERT) == 0 ? Standing.NONE : BinaryFormat.readZigzag(source);
    return new Standing(
        version,
        fenceVersion,
        (flags & ON) != 0,
        began,
        dueMillis,
        alertMillis,
        BinaryFormat.readVarint(source));
  }

  @Override
  public Standings createInstance() {
    return new Standings(Map.of());
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<Standings> {
    /** Called by Flink. */
    public Snapshot() {
      super(StandingsSerializer::new);
    }
  }
}
