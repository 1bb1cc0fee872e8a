package io.lastfix.audit.stored;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A document of History.
 *
 * @param cell null if the record has none
 * @param place the position to use; null if it has none
 * @param source where {@code place} comes from; null if there is no place
 * @param accuracyMeters null if unknown
 * @param altitudeMeters null if unknown
 * @param radio as History keeps it of a record without a place: {@link #NO_RADIO} if the record
 *     named none; null if the document has a place
 * @param shape null if it has none
 * @param cellPlace the position of the cell beside the record's own; null if unknown
 * @param isFar whether the two are marked as far apart
 * @param locatedMillis when {@code place} was found later; null if it was not
 */
public record StoredDocument(
    String user,
    long timestampMillis,
    @Nullable String cell,
    @Nullable Place place,
    @Nullable String source,
    @Nullable Double accuracyMeters,
    @Nullable Double altitudeMeters,
    @Nullable String radio,
    @Nullable BsonDocument shape,
    @Nullable Place cellPlace,
    boolean isFar,
    @Nullable Long locatedMillis) {
  /** Of a record that named no radio. */
  public static final String NO_RADIO = "";

  private static final String CELL = "cell";
  private static final Set<String> SOURCES = Set.of(CELL, "gnss", "network", "mlp");
  private static final Set<String> OF_HISTORY =
      Set.of(
          "_id", "user", "ts", CELL, "radio", "loc", "src", "acc", "alt", "shape", "cellLoc", "far",
          "located");
  private static final List<String> OF_LAST = List.of("ts", CELL, "loc", "src", "acc");
  private static final List<String> LOC_FIELDS = List.of("lon", "lat");

  /** Returns whether the record stated its position itself. */
  public boolean isOwn() {
    return source != null && !source.equals(CELL);
  }

  /** Reads a document of History; null if the job would not write such a document. */
  public static @Nullable StoredDocument ofHistory(BsonDocument document) {
    Fields fields = new Fields(document);
    StoredDocument stored =
        new StoredDocument(
            fields.text("user"),
            fields.millis("ts"),
            fields.textOrNull(CELL),
            fields.placeOrNull("loc"),
            fields.textOrNull("src"),
            fields.numberOrNull("acc"),
            fields.numberOrNull("alt"),
            document.isNull("radio") ? NO_RADIO : fields.textOrNull("radio"),
            fields.documentOrNull("shape"),
            fields.placeOrNull("cellLoc"),
            fields.isTrue("far"),
            document.containsKey("located") ? fields.millis("located") : null);
    return fields.areAllRight && OF_HISTORY.containsAll(document.keySet()) && stored.isPossible()
        ? stored
        : null;
  }

  /** Returns whether the job writes these fields together. */
  private boolean isPossible() {
    if (isOwn()) {
      return place != null
          && radio == null
          && locatedMillis == null
          && (cellPlace == null || cell != null)
          && !(isFar && cellPlace == null);
    }
    boolean hasOnlyAnOwnPositionsFields =
        accuracyMeters != null
            || altitudeMeters != null
            || shape != null
            || cellPlace != null
            || isFar;
    return cell != null
        && !hasOnlyAnOwnPositionsFields
        && (source == null) == (place == null)
        && (radio == null) == (place != null)
        && (place != null || locatedMillis == null);
  }

  /** A document of Last Known Location. */
  public record LastKnown(Newest last, @Nullable Newest fix) {}

  /**
   * Reads a document of Last Known Location; null if the job would not write such a document. The
   * order of the fields counts, because the sink's {@code $max} compares {@code last} and {@code
   * fix} as wholes, field by field.
   */
  public static @Nullable LastKnown ofLastKnown(BsonDocument document) {
    BsonValue user = document.get("_id");
    if (user == null || !user.isString() || !document.isDocument("last") || document.size() != 3) {
      return null;
    }
    Newest last = newest(document.getDocument("last"));
    Newest fix = document.isDocument("fix") ? newest(document.getDocument("fix")) : null;
    boolean isFixPossible = document.isNull("fix") || (fix != null && fix.isOwn());
    return last != null && isFixPossible ? new LastKnown(last, fix) : null;
  }

  private static @Nullable Newest newest(BsonDocument document) {
    if (!isOf(document, OF_LAST)) {
      return null;
    }
    Fields fields = new Fields(document);
    String cell = document.isNull(CELL) ? null : fields.textOrNull(CELL);
    Newest newest =
        new Newest(
            fields.millis("ts"),
            Objects.requireNonNullElse(cell, ""),
            fields.placeOrNull("loc"),
            fields.text("src"),
            document.isNull("acc") ? null : fields.numberOrNull("acc"));
    boolean isPossible =
        newest.place() != null
            && (newest.isOwn() || (cell != null && newest.accuracyMeters() == null));
    return fields.areAllRight && isPossible ? newest : null;
  }

  private static boolean isOf(BsonDocument document, List<String> fields) {
    return List.copyOf(document.keySet()).equals(fields);
  }

  /** Reads fields, and notes whether one has another type or an impossible value. */
  private static final class Fields {
    private final BsonDocument document;
    private boolean areAllRight = true;

    Fields(BsonDocument document) {
      this.document = document;
    }

    private boolean has(String name, boolean isRight) {
      areAllRight &= isRight || !document.containsKey(name);
      return isRight;
    }

    String text(String name) {
      String text = textOrNull(name);
      areAllRight &= text != null;
      return text == null ? "" : text;
    }

    @Nullable String textOrNull(String name) {
      if (!has(name, document.isString(name))) {
        return null;
      }
      String text = document.getString(name).getValue();
      areAllRight &= !name.equals("src") || SOURCES.contains(text);
      areAllRight &= !name.equals("radio") || !text.equals(NO_RADIO);
      return text;
    }

    long millis(String name) {
      boolean isRight = document.isDateTime(name);
      areAllRight &= isRight;
      return isRight ? document.getDateTime(name).getValue() : 0;
    }

    @Nullable Double numberOrNull(String name) {
      if (!has(name, document.isDouble(name))) {
        return null;
      }
      double number = document.getDouble(name).getValue();
      areAllRight &= Double.isFinite(number) && (number > 0 || !name.equals("acc"));
      return number;
    }

    boolean isTrue(String name) {
      return has(name, document.isBoolean(name) && document.getBoolean(name).getValue());
    }

    @Nullable BsonDocument documentOrNull(String name) {
      return has(name, document.isDocument(name)) ? document.getDocument(name) : null;
    }

    @Nullable Place placeOrNull(String name) {
      BsonDocument pair = documentOrNull(name);
      if (pair == null) {
        return null;
      }
      // The order counts: an index on positions takes the first number as the longitude.
      if (!isOf(pair, LOC_FIELDS) || !pair.isDouble("lon") || !pair.isDouble("lat")) {
        areAllRight = false;
        return null;
      }
      return new Place(pair.getDouble("lon").getValue(), pair.getDouble("lat").getValue());
    }
  }
}
