package io.lastfix.parse.profile;

import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Describes how to find records in the messages of one kind: the format, the elements that are
 * records, and a path for each field. {@link ProfileLoader} reads profiles from YAML and documents
 * their syntax.
 *
 * <p>Its lists are taken over, not copied, and must not be changed. Travels to the task managers
 * inside the parser.
 *
 * @param name the name of its file, without {@code .yaml}
 * @param format the format of its messages
 * @param record XML: the names of the elements that are records, at any depth. JSON: the members
 *     that lead from the message's value to its records; empty: the value itself is a record or an
 *     array of records
 * @param error the path whose presence means that the record has no position; null: no such path
 * @param only the condition of every record; others are not records. Null: no condition
 * @param needsPlace true if what names neither a cell nor a position is no record
 * @param batch the members whose array holds several records, each together with what surrounds the
 *     array. An element stands for the first of these members, or for the record. Empty: no such
 *     member
 * @param pairs the list of names and values in each record; null: none
 * @param users at least one; the first that is given wins
 * @param cells at least one if there are no {@code positions}; the first that is given wins
 * @param positions at least one if there are no {@code cells}; the first that is given wins
 * @param timestamps at least one; the first that is given wins
 */
public record Profile(
    String name,
    Format format,
    List<String> record,
    @Nullable FieldPath error,
    @Nullable Condition only,
    boolean needsPlace,
    List<String> batch,
    @Nullable Pairs pairs,
    List<UserField> users,
    List<CellField> cells,
    List<PositionField> positions,
    List<TimestampField> timestamps)
    implements Serializable {
  /** The format of a message. */
  public enum Format {
    XML,
    JSON,
    /**
     * A query string, {@code application/x-www-form-urlencoded}; or JSON, recognised by its start.
     */
    FORM
  }

  /**
   * A path to the user.
   *
   * @param choice how to choose if the path leads to several elements; null: only one is valid
   */
  public record UserField(FieldPath path, @Nullable TypeChoice choice) implements Serializable {}

  /**
   * Chooses among elements of one path by an attribute with their type, as in MLP's {@code msid}.
   * The first element of the best type wins; types that are not preferred come after all others.
   *
   * @param attribute the attribute's name
   * @param defaultType the type of an element without that attribute; null: none
   * @param preferred types, the best first
   */
  public record TypeChoice(String attribute, @Nullable String defaultType, List<String> preferred)
      implements Serializable {
    /**
     * Returns the rank of a type among the preferred ones, 0 being the best; the lowest rank wins.
     */
    public int rank(@Nullable String type) {
      @Nullable String effective = type == null ? defaultType : type;
      int index = effective == null ? -1 : preferred.indexOf(effective);
      return index < 0 ? preferred.size() : index;
    }
  }

  /**
   * Paths to the cell: either its parts ({@code mcc}, {@code mnc} and {@code cid} are set, {@code
   * text} is null) or its text (the reverse). The cell counts as given if its {@code cid} or {@code
   * text} is.
   *
   * @param area null: this cell comes without an area
   * @param text path to a text such as {@code 234-10-4021-20911362}
   * @param radio path to the name of the radio; null: none
   * @param constantRadio radio of every cell given by these paths; null: unknown
   */
  public record CellField(
      @Nullable FieldPath mcc,
      @Nullable FieldPath mnc,
      @Nullable FieldPath area,
      @Nullable FieldPath cid,
      @Nullable FieldPath text,
      @Nullable FieldPath radio,
      @Nullable Radio constantRadio)
      implements Serializable {}

  /**
   * Paths to a position of the record's own. It counts as given if a coordinate or the shape is.
   *
   * @param accuracyPercent the probability that the true position is within the accuracy, more than
   *     0 to 100
   * @param invalid marks a position as none; null: no such mark
   * @param keepsShape true: the record keeps the shape as GeoJSON
   */
  public record PositionField(
      PositionPaths paths,
      double accuracyPercent,
      SourceField source,
      @Nullable Condition invalid,
      boolean keepsShape)
      implements Serializable {}

  /**
   * The paths of a position: either {@code lon} and {@code lat}, or {@code coordinates}, or {@code
   * shape}.
   *
   * @param coordinates path to a JSON array of longitude, latitude and perhaps altitude
   * @param shape path to MLP's {@code shape} element
   * @param accuracy metres
   * @param confidence the probability in percent, in place of {@link PositionField#accuracyPercent}
   * @param altitude metres
   */
  public record PositionPaths(
      @Nullable FieldPath lon,
      @Nullable FieldPath lat,
      @Nullable FieldPath coordinates,
      @Nullable FieldPath shape,
      @Nullable FieldPath accuracy,
      @Nullable FieldPath confidence,
      @Nullable FieldPath altitude)
      implements Serializable {}

  /**
   * How to find out where a position comes from.
   *
   * @param path null: all positions come from {@code otherwise}
   * @param names the format's names in lower case
   * @param otherwise the source of a record that names none
   */
  public record SourceField(
      @Nullable FieldPath path, Map<String, PositionSource> names, PositionSource otherwise)
      implements Serializable {}

  /**
   * True if the path has one of these values.
   *
   * @param values at least one; upper and lower case are the same
   */
  public record Condition(FieldPath path, List<String> values) implements Serializable {}

  /**
   * A list of objects, each with a name and a value. A path {@code LIST/NAME} leads to the value of
   * that name, as if the list were one object.
   *
   * @param path of the list
   * @param name the member of each object that is the name
   * @param value the member of each object that is the value
   */
  public record Pairs(FieldPath path, String name, String value) implements Serializable {}

  /**
   * A path to the timestamp.
   *
   * @param format a format that {@link TimestampParser#of} accepts
   * @param offset path to the offset from UTC, which applies if the timestamp itself has none;
   *     null: none
   */
  public record TimestampField(FieldPath path, String format, @Nullable FieldPath offset)
      implements Serializable {}

  @Override
  public String toString() {
    return "Profile " + name;
  }
}
