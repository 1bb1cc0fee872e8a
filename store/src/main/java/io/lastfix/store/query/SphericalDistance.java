package io.lastfix.store.query;

import io.lastfix.model.Position;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Computes on the server the distance between a place and the documents of Last Known Location.
 * There are two ways with the same result: {@code $geoNear}, which requires an index, and
 * arithmetic, which reads the whole collection.
 *
 * @param location the field with the documents' position
 * @param filter what the documents must match besides; not of a position
 */
record SphericalDistance(Position center, String location, BsonDocument filter) {
  /** MongoDB's radius of the earth, in metres. */
  static final double EARTH_RADIUS = 6_378_100;

  /** Field of the result that contains the distance, in metres. */
  static final String FIELD = "distance";

  List<BsonDocument> byIndex(double radiusMeters) {
    return List.of(
        new BsonDocument(
            "$geoNear",
            new BsonDocument(
                    "near",
                    new BsonDocument("type", new BsonString("Point"))
                        .append("coordinates", Polygon.toBson(center)))
                .append("key", new BsonString(location))
                .append("distanceField", new BsonString(FIELD))
                .append("maxDistance", number(radiusMeters))
                .append("query", filter)
                .append("spherical", BsonBoolean.TRUE)));
  }

  List<BsonDocument> byReadingAll(double radiusMeters) {
    BsonArray circle =
        new BsonArray(List.of(Polygon.toBson(center), number(radiusMeters / EARTH_RADIUS)));
    BsonDocument matching = filter.clone();
    matching.append(
        location, new BsonDocument("$geoWithin", new BsonDocument("$centerSphere", circle)));
    return List.of(
        new BsonDocument("$match", matching),
        new BsonDocument("$set", new BsonDocument(FIELD, haversine())),
        new BsonDocument("$sort", new BsonDocument(FIELD, new BsonInt32(1))));
  }

  /**
   * The haversine formula, with latitude φ and longitude λ: 2 r asin √(sin²((φ₁-φ₂)/2) + cos φ₁ cos
   * φ₂ sin²((λ₁-λ₂)/2)).
   */
  private BsonDocument haversine() {
    BsonValue latitude = call("$degreesToRadians", new BsonString("$" + location + ".lat"));
    BsonValue longitude = call("$degreesToRadians", new BsonString("$" + location + ".lon"));
    double centerLatitude = Math.toRadians(center.lat());
    double centerLongitude = Math.toRadians(center.lon());
    BsonValue chord =
        call(
            "$add",
            squareOfHalfSine(latitude, centerLatitude),
            call(
                "$multiply",
                number(Math.cos(centerLatitude)),
                call("$cos", latitude),
                squareOfHalfSine(longitude, centerLongitude)));
    // Rounding may give slightly more than 1, whose arc sine is undefined.
    BsonValue angle = call("$asin", call("$min", number(1), call("$sqrt", chord)));
    return call("$multiply", number(2 * EARTH_RADIUS), angle);
  }

  private static BsonDocument squareOfHalfSine(BsonValue radians, double centerRadians) {
    BsonValue half = call("$divide", call("$subtract", radians, number(centerRadians)), number(2));
    return call("$pow", call("$sin", half), number(2));
  }

  static BsonDocument call(String operator, BsonValue... arguments) {
    return new BsonDocument(
        operator, arguments.length == 1 ? arguments[0] : new BsonArray(List.of(arguments)));
  }

  private static BsonDouble number(double value) {
    return new BsonDouble(value);
  }
}
