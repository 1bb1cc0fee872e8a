package io.lastfix.store.provision;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * The fields of an index or of a shard key, in order. Two patterns are equal if MongoDB treats them
 * as equal, however their numbers are written: mongosh writes 1.0, drivers write 1. A {@link
 * BsonDocument} is unsuitable: it ignores the order of its fields in comparisons.
 */
public record KeyPattern(List<Field> fields) {
  private static final String ASCENDING = "1";
  private static final String DESCENDING = "-1";
  private static final String HASHED = "hashed";
  private static final String SPHERE = "2dsphere";

  /**
   * One field.
   *
   * @param name name, with dots if it is nested
   * @param order {@code 1}, {@code -1}, or the kind of index, such as {@code hashed}
   */
  public record Field(String name, String order) {
    private boolean isNumber() {
      return order.equals(ASCENDING) || order.equals(DESCENDING);
    }

    @Override
    public String toString() {
      return name.replaceFirst("^(.*\\W.*)$", "\"$1\"")
          + ": "
          + (isNumber() ? order : '"' + order + '"');
    }
  }

  /** Returns these fields, ascending. */
  public static KeyPattern ascending(String... names) {
    return new KeyPattern(ascendingFields(names));
  }

  /** Returns a hashed field, followed by ascending ones. */
  public static KeyPattern hashed(String name, String... ascending) {
    List<Field> fields = new ArrayList<>();
    fields.add(new Field(name, HASHED));
    fields.addAll(ascendingFields(ascending));
    return new KeyPattern(fields);
  }

  /** Returns a {@code 2dsphere} index. */
  public static KeyPattern sphere(String name) {
    return new KeyPattern(List.of(new Field(name, SPHERE)));
  }

  private static List<Field> ascendingFields(String... names) {
    return Stream.of(names).map(name -> new Field(name, ASCENDING)).toList();
  }

  /** Parses the server's form. */
  static KeyPattern of(BsonDocument document) {
    List<Field> fields = new ArrayList<>();
    document.forEach((name, value) -> fields.add(new Field(name, order(value))));
    return new KeyPattern(fields);
  }

  private static String order(BsonValue value) {
    if (value.isNumber()) {
      return value.asNumber().doubleValue() < 0 ? DESCENDING : ASCENDING;
    }
    return value.isString() ? value.asString().getValue() : value.toString();
  }

  BsonDocument toBson() {
    BsonDocument document = new BsonDocument();
    for (Field field : fields) {
      document.append(
          field.name(),
          field.isNumber()
              ? new BsonInt32(Integer.parseInt(field.order()))
              : new BsonString(field.order()));
    }
    return document;
  }

  /**
   * Returns true if the first field is hashed, so that its chunks can be created before any data.
   */
  boolean startsWithHash() {
    return !fields.isEmpty() && fields.get(0).order().equals(HASHED);
  }

  /** Returns the pattern in mongosh syntax. */
  @Override
  public String toString() {
    return fields.stream().map(Field::toString).collect(Collectors.joining(", ", "{", "}"));
  }
}
