package io.lastfix.rules.judge;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2LatLng;
import io.lastfix.expressions.Facts;
import io.lastfix.expressions.Name;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.rules.fence.FenceShape;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A located record as expressions see it. Texts that the record does not have as such are made
 * once, because many rules may compare them. One thread uses it.
 */
final class RecordFacts implements Facts {
  private final LocatedRecord record;
  private final Position position;
  private final double speed;
  private final List<FenceShape> containing;
  private @Nullable String cell;
  private @Nullable String network;

  /**
   * Creates the facts of a record.
   *
   * @param record has a position
   * @param speed in metres a second; NaN if it is unknown
   * @param containing the fences with the position, of those that rules name
   */
  RecordFacts(LocatedRecord record, double speed, List<FenceShape> containing) {
    this.record = record;
    position = Objects.requireNonNull(record.position());
    this.speed = speed;
    this.containing = containing;
  }

  LocatedRecord record() {
    return record;
  }

  List<FenceShape> containing() {
    return containing;
  }

  /** Returns the value of one of the names of texts; null if the record does not have it. */
  @Nullable String text(Name name) {
    return switch (name) {
      case USER -> user();
      case CELL -> cell();
      case NETWORK -> network();
      case SOURCE -> source();
      default -> throw new IllegalArgumentException(name + " is no text");
    };
  }

  @Override
  public String user() {
    return record.user();
  }

  @Override
  public @Nullable String cell() {
    CellId id = record.cell();
    if (cell == null && id != null) {
      cell = id.toString();
    }
    return cell;
  }

  @Override
  public @Nullable String network() {
    CellId id = record.cell();
    if (network == null && id != null) {
      network = id.mcc() + "-" + id.mnc();
    }
    return network;
  }

  @Override
  public String source() {
    return Objects.requireNonNull(record.source()).text();
  }

  @Override
  public double lon() {
    return position.lon();
  }

  @Override
  public double lat() {
    return position.lat();
  }

  @Override
  public double accuracy() {
    Fix fix = record.fix();
    return fix == null ? Double.NaN : orNaN(fix.accuracyMeters());
  }

  @Override
  public double altitude() {
    Fix fix = record.fix();
    return fix == null ? Double.NaN : orNaN(fix.altitudeMeters());
  }

  private static double orNaN(@Nullable Double number) {
    return number == null ? Double.NaN : number;
  }

  @Override
  public double speed() {
    return speed;
  }

  @Override
  public long timeMillis() {
    return record.timestampMillis();
  }

  @Override
  public boolean isFar() {
    return record.isFar();
  }

  @Override
  public double metersTo(double lon, double lat) {
    return position.metersTo(new Position(lon, lat));
  }

  @Override
  public boolean isInside(String fence) {
    for (FenceShape shape : containing) {
      if (shape.fence().id().equals(fence)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String area(int level) {
    S2LatLng point = S2LatLng.fromDegrees(position.lat(), position.lon());
    return S2CellId.fromLatLng(point).parent(level).toToken();
  }
}
