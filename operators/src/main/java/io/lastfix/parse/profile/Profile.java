package io.lastfix.parse.profile;

import io.lastfix.model.Radio;
import io.lastfix.parse.ParseFunction;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How records are found in the messages of one kind: the format, what is one record, and a path for
 * each field. Read from YAML by {@link ProfileLoader}, which says what may stand there.
 *
 * <p>Immutable. Travels to the task managers inside {@link ParseFunction}.
 */
public final class Profile implements Serializable {
  /** What a message is written in. */
  public enum Format {
    XML,
    JSON
  }

  /**
   * Names the user.
   *
   * @param choice which one to take where the path leads to several; null: there may be just one
   */
  public record UserField(FieldPath path, @Nullable TypeChoice choice) implements Serializable {}

  /**
   * Chooses among elements of one path by an attribute that says their type, as MLP's {@code msid}
   * has it. The first of the best type wins; a type that is not preferred comes after all others.
   *
   * @param attribute the attribute's name
   * @param defaultType the type of an element without that attribute; null: none
   * @param preferred the best type first
   */
  public record TypeChoice(String attribute, @Nullable String defaultType, List<String> preferred)
      implements Serializable {
    public TypeChoice {
      preferred = List.copyOf(preferred);
    }

    /** The place of a type among the preferred ones, 0 being the best; lower wins. */
    public int rank(@Nullable String type) {
      @Nullable String effective = type == null ? defaultType : type;
      int index = effective == null ? -1 : preferred.indexOf(effective);
      return index < 0 ? preferred.size() : index;
    }
  }

  /**
   * Names the cell, by parts ({@code mcc}, {@code mnc} and {@code cid} given, {@code text} null) or
   * by its text (the other way round). It counts as given where its {@code cid} or {@code text} is.
   *
   * @param area null: this cell comes without an area
   * @param text leads to a text such as {@code 234-10-4021-20911362}
   * @param radio leads to the name of the radio; null: none does
   * @param constantRadio the radio of every cell given in this way; null: not known
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
   * Says when.
   *
   * @param format one that {@link TimestampParser#of} knows
   * @param offset leads to the time's distance from UTC where the time itself does not say it;
   *     null: none does
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

  /** The name of its file, without {@code .yaml}. */
  public String name() {
    return name;
  }

  /** What its messages are written in. */
  public Format format() {
    return format;
  }

  /**
   * XML: the names of the elements that are one record, wherever they stand. JSON: the members that
   * lead from the message's value to its records; empty: the value itself is one, or an array of
   * them.
   */
  public List<String> record() {
    return record;
  }

  /** Where this stands in a record, the record has no position; null: no such path. */
  public @Nullable FieldPath error() {
    return error;
  }

  /** At least one; the first that is given wins. */
  public List<UserField> users() {
    return users;
  }

  /** At least one; the first that is given wins. */
  public List<CellField> cells() {
    return cells;
  }

  /** At least one; the first that is given wins. */
  public List<TimestampField> timestamps() {
    return timestamps;
  }

  @Override
  public String toString() {
    return "Profile " + name;
  }
}
