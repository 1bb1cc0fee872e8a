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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A located record as expressions see it.
 *
 * @param record has a position
 * @param speed in metres a second; null if it is unknown
 * @param containing the fences with the position, of those that rules name
 */
record RecordFacts(LocatedRecord record, @Nullable Double speed, List<FenceShape> containing)
    implements Facts {
  private Position position() {
    return Objects.requireNonNull(record.position());
  }

  @Override
  public @Nullable Object value(Name name) {
    CellId cell = record.cell();
    Fix fix = record.fix();
    return switch (name) {
      case USER -> record.user();
      case CELL -> cell == null ? null : cell.toString();
      case NETWORK -> cell == null ? null : cell.mcc() + "-" + cell.mnc();
      case SOURCE -> Objects.requireNonNull(record.source()).text();
      case LON -> position().lon();
      case LAT -> position().lat();
      case ACCURACY -> fix == null ? null : fix.accuracyMeters();
      case ALTITUDE -> fix == null ? null : fix.altitudeMeters();
      case SPEED -> speed;
      case TIME -> Instant.ofEpochMilli(record.timestampMillis());
      case FAR -> record.isFar();
    };
  }

  @Override
  public double metersTo(double lon, double lat) {
    return position().metersTo(new Position(lon, lat));
  }

  @Override
  public boolean isInside(String fence) {
    return containing.stream().anyMatch(shape -> shape.fence().id().equals(fence));
  }

  @Override
  public String area(int level) {
    S2LatLng point = S2LatLng.fromDegrees(position().lat(), position().lon());
    return S2CellId.fromLatLng(point).parent(level).toToken();
  }
}
