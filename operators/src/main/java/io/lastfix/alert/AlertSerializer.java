package io.lastfix.alert;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.serialization.BinaryFormat;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Layout of version 1: text user, zigzag instant, text rule, varint version, text kind; relative to
 * the instant zigzag confirmed; 1 byte of flags (1: fence, 2: cell, 4: accuracy, 8: position), text
 * fence if there is one, text cause, position if there is one, cell if there is one, 1 byte {@link
 * PositionSource#code()} if there is a position, 8 bytes accuracy if there is one, 8 bytes
 * certainty, varint counted, varint number of actions, for each text kind, text target. The texts
 * of enums are the names of their constants.
 *
 * @see BinaryFormat
 */
public final class AlertSerializer extends VersionedSerializer<Alert> {
  static final int VERSION = 1;

  /** For streams of it. */
  public static final TypeInformation<Alert> TYPE =
      new VersionedTypeInformation<>(Alert.class, new AlertSerializer());

  private static final int FENCE = 1;
  private static final int CELL = 2;
  private static final int ACCURACY = 4;
  private static final int POSITION = 8;

  /** Reads the newest version. */
  public AlertSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(Alert alert, DataOutputView target) throws IOException {
    BinaryFormat.writeText(alert.user(), target);
    BinaryFormat.writeZigzag(alert.atMillis(), target);
    BinaryFormat.writeText(alert.rule(), target);
    BinaryFormat.writeVarint(alert.version(), target);
    BinaryFormat.writeText(alert.kind().name(), target);
    BinaryFormat.writeZigzag(alert.confirmedMillis() - alert.atMillis(), target);
    String fence = alert.fence();
    CellId cell = alert.cell();
    Double accuracy = alert.accuracyMeters();
    Position position = alert.position();
    PositionSource source = alert.source();
    boolean hasPosition = position != null && source != null;
    target.writeByte(
        (fence == null ? 0 : FENCE)
            | (cell == null ? 0 : CELL)
            | (accuracy == null ? 0 : ACCURACY)
            | (hasPosition ? POSITION : 0));
    if (fence != null) {
      BinaryFormat.writeText(fence, target);
    }
    BinaryFormat.writeText(alert.cause().name(), target);
    if (hasPosition) {
      BinaryFormat.writePosition(position, target);
    }
    if (cell != null) {
      BinaryFormat.writeCell(cell, target);
    }
    if (hasPosition) {
      target.writeByte(source.code());
    }
    if (accuracy != null) {
      target.writeDouble(accuracy);
    }
    target.writeDouble(alert.certainty());
    BinaryFormat.writeVarint(alert.counted(), target);
    BinaryFormat.writeVarint(alert.then().size(), target);
    for (Action action : alert.then()) {
      BinaryFormat.writeText(action.kind().name(), target);
      BinaryFormat.writeText(action.target(), target);
    }
  }

  @Override
  protected Alert read(DataInputView source, int version) throws IOException {
    String user = BinaryFormat.readText(source);
    long atMillis = BinaryFormat.readZigzag(source);
    String rule = BinaryFormat.readText(source);
    long ruleVersion = BinaryFormat.readVarint(source);
    Alert.Kind kind = Alert.Kind.valueOf(BinaryFormat.readText(source));
    long confirmedMillis = atMillis + BinaryFormat.readZigzag(source);
    int flags = source.readByte();
    String fence = (flags & FENCE) == 0 ? null : BinaryFormat.readText(source);
    Alert.Cause cause = Alert.Cause.valueOf(BinaryFormat.readText(source));
    boolean hasPosition = (flags & POSITION) != 0;
    Position position = hasPosition ? BinaryFormat.readPosition(source) : null;
    CellId cell = (flags & CELL) == 0 ? null : BinaryFormat.readCell(source);
    PositionSource from = hasPosition ? PositionSource.ofCode(source.readByte()) : null;
    Double accuracy = (flags & ACCURACY) == 0 ? null : source.readDouble();
    double certainty = source.readDouble();
    long counted = BinaryFormat.readVarint(source);
    int count = BinaryFormat.readVarint32(source);
    List<Action> then = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Action.Kind way = Action.Kind.valueOf(BinaryFormat.readText(source));
      then.add(new Action(way, BinaryFormat.readText(source)));
    }
    return new Alert(
        user,
        atMillis,
        rule,
        ruleVersion,
        kind,
        confirmedMillis,
        fence,
        cause,
        position,
        cell,
        from,
        accuracy,
        certainty,
        counted,
        then);
  }

  @Override
  public Alert createInstance() {
    return new Alert(
        "-",
        0,
        "-",
        1,
        Alert.Kind.EXPR,
        0,
        null,
        Alert.Cause.RECORD,
        new Position(0, 0),
        null,
        PositionSource.CELL,
        null,
        1,
        0,
        List.of());
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<Alert> {
    /** Called by Flink. */
    public Snapshot() {
      super(AlertSerializer::new);
    }
  }
}
