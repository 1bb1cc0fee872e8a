package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.rules.judge.Progress;
import io.lastfix.rules.judge.ReportedSilence;
import io.lastfix.rules.judge.Standing;
import io.lastfix.rules.rule.Condition;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Layout of version 1: varint number of standings, for each: text rule, varint version, varint
 * version of the fence, 1 byte of flags (1: on, 2: began, 4: alert, 8: progress, 16: reported a
 * silence of positions, 32: one of presence); if it began text user, located began and, relative to
 * its timestamp, zigzag due; if there is an alert zigzag its instant; varint counted; if there is
 * progress varint inside, varint number of starts, for each zigzag its instant; if a silence is
 * reported zigzag the last sign before it.
 *
 * @see BinaryFormat
 */
final class StandingsSerializer extends VersionedSerializer<Standings> {
  static final int VERSION = 1;

  private static final int ON = 1;
  private static final int BEGAN = 2;
  private static final int ALERT = 4;
  private static final int PROGRESS = 8;
  private static final int REPORTED_POSITION = 16;
  private static final int REPORTED_PRESENCE = 32;

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
    Progress progress = standing.progress();
    ReportedSilence reported = standing.reported();
    BinaryFormat.writeVarint(standing.version(), target);
    BinaryFormat.writeVarint(standing.fenceVersion(), target);
    target.writeByte(
        (standing.isOn() ? ON : 0)
            | (began == null ? 0 : BEGAN)
            | (hasAlert ? ALERT : 0)
            | (progress == null ? 0 : PROGRESS)
            | (reported == null ? 0 : flag(reported.of())));
    if (began != null) {
      BinaryFormat.writeText(began.user(), target);
      BinaryFormat.writeLocated(began, target);
      BinaryFormat.writeZigzag(standing.dueMillis() - began.timestampMillis(), target);
    }
    if (hasAlert) {
      BinaryFormat.writeZigzag(standing.alertMillis(), target);
    }
    BinaryFormat.writeVarint(standing.counted(), target);
    if (progress != null) {
      BinaryFormat.writeVarint(progress.inside(), target);
      BinaryFormat.writeVarint(progress.starts().size(), target);
      for (long start : progress.starts()) {
        BinaryFormat.writeZigzag(start, target);
      }
    }
    if (reported != null) {
      BinaryFormat.writeZigzag(reported.atMillis(), target);
    }
  }

  private static int flag(Condition.Silent.Sign of) {
    return switch (of) {
      case POSITION -> REPORTED_POSITION;
      case PRESENCE -> REPORTED_PRESENCE;
    };
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
    long counted = BinaryFormat.readVarint(source);
    Progress progress = (flags & PROGRESS) == 0 ? null : readProgress(source);
    return new Standing(
        version,
        fenceVersion,
        (flags & ON) != 0,
        began,
        dueMillis,
        alertMillis,
        counted,
        progress,
        readReported(flags, source));
  }

  private static @Nullable ReportedSilence readReported(int flags, DataInputView source)
      throws IOException {
    for (Condition.Silent.Sign of : Condition.Silent.Sign.values()) {
      if ((flags & flag(of)) != 0) {
        return new ReportedSilence(of, BinaryFormat.readZigzag(source));
      }
    }
    return null;
  }

  private static Progress readProgress(DataInputView source) throws IOException {
    int inside = BinaryFormat.readVarint32(source);
    int count = BinaryFormat.readVarint32(source);
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      starts.add(BinaryFormat.readZigzag(source));
    }
    return new Progress(inside, starts);
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
