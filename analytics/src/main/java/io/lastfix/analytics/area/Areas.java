package io.lastfix.analytics.area;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2LatLng;
import io.lastfix.model.Position;
import org.jspecify.annotations.Nullable;

/**
 * The areas that numbers are by: cells of the <a href="https://s2geometry.io">S2 geometry</a>, all
 * of one level.
 */
public final class Areas {
  /** The smallest areas, of 1 cm²; level 0 is a sixth of the earth. */
  public static final int MAX_LEVEL = S2CellId.MAX_LEVEL;

  /** Areas of about 1.3 km². */
  public static final int DEFAULT_LEVEL = 13;

  private Areas() {}

  /** Returns the token of the area of that level that contains the position. */
  public static String token(Position position, int level) {
    return cell(position, level).toToken();
  }

  /** Returns the area of that level that contains the position. */
  public static S2CellId cell(Position position, int level) {
    return S2CellId.fromLatLng(S2LatLng.fromDegrees(position.lat(), position.lon())).parent(level);
  }

  /** Returns the centre of an area; null if the token is not that of an area. */
  public static @Nullable Position center(String token) {
    S2CellId cell;
    try {
      cell = S2CellId.fromToken(token);
    } catch (NumberFormatException e) {
      return null;
    }
    if (!cell.isValid()) {
      return null;
    }
    S2LatLng center = cell.toLatLng();
    return new Position(center.lngDegrees(), center.latDegrees());
  }
}
