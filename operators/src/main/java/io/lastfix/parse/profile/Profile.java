package io.lastfix.parse.profile;

import io.lastfix.model.Radio;
import io.lastfix.parse.ParseFunction;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes how to find records in the messages of one kind: the format, the elements that are
 * records, and a path for each field. {@link ProfileLoader} reads profiles from YAML and documents
 * their syntax.
 *
 * <p>Immutable. Travels to the task managers inside {@link ParseFunction}.
 */
public final class Profile implements Serializable {
  /** The format of a message. */
  public enum Format {
    XML,
    JSON
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
    public TypeChoice {
      preferred = List.copyOf(preferred);
    }

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
   * A path to the timestamp.
   *
   * @param format a format that {@link TimestampParser#of} accepts
   * @param offset path to the offset from UTC, which applies if the timestamp itself has none;
   *     null: none
   */
  public record TimestampField(FieldPath path, String format, @Nullable FieldPath offset)
      implements Serializable {}

  private final String name;
  private final Format format;
  private final List<String> record;
  private final @Nullable FieldPath error;
  private final List<UserField> users;
  private final List<CellField> cells;
  private final List<TimestampField> timestamps;

  Profile(
      String name,
      Format format,
      List<String> record,
      @Nullable FieldPath error,
      List<UserField> users,
      List<CellField> cells,
      List<TimestampField> timestamps) {
    this.name = name;
    this.format = format;
    this.record = List.copyOf(record);
    this.error = error;
    this.users = List.copyOf(users);
    this.cells = List.copyOf(cells);
    this.timestamps = List.copyOf(timestamps);
  }

  /** Returns the name of its file, without {@code .yaml}. */
  public String name() {
    return name;
  }

  /** Returns the format of its messages. */
  public Format format() {
    return format;
  }

  /**
   * XML: the names of the elements that are records, at any depth. JSON: the members that lead from
   * the message's value to its records; empty: the value itself is a record or an array of records.
   */
  public List<String> record() {
    return record;
  }

  /** Returns the path whose presence means that the record has no position; null: no such path. */
  public @Nullable FieldPath error() {
    return error;
  }

  /** Returns at least one; the first that is given wins. */
  public List<UserField> users() {
    return users;
  }

  /** Returns at least one; the first that is given wins. */
  public List<CellField> cells() {
    return cells;
  }

  /** Returns at least one; the first that is given wins. */
  public List<TimestampField> timestamps() {
    return timestamps;
  }

  @Override
  public String toString() {
    return "Profile " + name;
  }
}
