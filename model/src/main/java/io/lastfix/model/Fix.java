package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A position that the record itself states, other than its cell's.
 *
 * @param position WGS 84
 * @param source not {@link PositionSource#CELL}
 * @param accuracyMeters the radius around {@code position} that contains the true position with a
 *     probability of 95 %, in metres, more than 0; null if unknown
 * @param altitudeMeters height as the format defines it, in metres; null if unknown
 * @param shape the area that the record states, as the text of a GeoJSON geometry; null if it
 *     states none, or its profile does not keep it. It is no part of a record's identity
 */
public record Fix(
    Position position,
    PositionSource source,
    @Nullable Double accuracyMeters,
    @Nullable Double altitudeMeters,
    @Nullable String shape)
    implements Serializable {
  /**
   * Checks the ranges and converts an altitude of -0.0 to 0.0.
   *
   * @throws IllegalArgumentException if a value is out of range; names the value
   */
  public Fix {
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(source, "source");
    if (source == PositionSource.CELL) {
      throw new IllegalArgumentException("source: expected gnss, network or mlp, found cell");
    }
    if (accuracyMeters != null && !(accuracyMeters > 0 && accuracyMeters < Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "accuracy: expected metres, more than 0, found " + accuracyMeters);
    }
    if (altitudeMeters != null) {
      if (!Double.isFinite(altitudeMeters)) {
        throw new IllegalArgumentException("altitude: expected metres, found " + altitudeMeters);
      }
      altitudeMeters += 0.0;
    }
  }

  /** Creates a fix of unknown accuracy and altitude. */
  public Fix(Position position, PositionSource source) {
    this(position, source, null, null, null);
  }
}
