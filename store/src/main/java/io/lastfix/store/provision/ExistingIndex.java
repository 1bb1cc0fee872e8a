package io.lastfix.store.provision;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * An index on the server.
 *
 * @param keys its fields
 * @param options options that distinguish it from the plain index on these fields, by the server's
 *     names: {@code unique}, {@code sparse}, {@code collation}, {@code hidden}, …
 */
record ExistingIndex(KeyPattern keys, SortedMap<String, BsonValue> options) {
  /** Members that every index has, or that the server sets by itself. */
  private static final Set<String> NO_OPTIONS =
      Set.of(
          "v", "key", "name", "ns", "background", "clustered", "2dsphereIndexVersion", "buildUUID");

  private static final String UNIQUE = "unique";
  private static final KeyPattern ID = KeyPattern.ascending("_id");

  /** Parses an entry of {@code listIndexes}. */
  static ExistingIndex of(BsonDocument listed) {
    SortedMap<String, BsonValue> options = new TreeMap<>();
    listed.forEach(
        (option, value) -> {
          if (!NO_OPTIONS.contains(option) && !value.equals(BsonBoolean.FALSE)) {
            options.put(option, value);
          }
        });
    return new ExistingIndex(KeyPattern.of(listed.getDocument("key")), options);
  }

  boolean isPlain() {
    return options.isEmpty();
  }

  boolean isId() {
    return keys.equals(ID);
  }

  boolean isUnique() {
    return options.containsKey(UNIQUE);
  }

  /** Shows the fields, then the options. */
  @Override
  public String toString() {
    return keys
        + options.entrySet().stream()
            .map(ExistingIndex::words)
            .collect(Collectors.joining(", ", isPlain() ? "" : " ", ""));
  }

  private static String words(Map.Entry<String, BsonValue> option) {
    return option.getValue().equals(BsonBoolean.TRUE)
        ? option.getKey()
        : option.getKey() + ": " + option.getValue();
  }
}
