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
 * An index that is there.
 *
 * @param keys its fields
 * @param options whatever makes it another index than the plain one on these fields, by the
 *     server's names: {@code unique}, {@code sparse}, {@code collation}, {@code hidden}, …
 */
record ExistingIndex(KeyPattern keys, SortedMap<String, BsonValue> options) {
  /** What every index has, or what the server chose without being asked. */
  private static final Set<String> NO_OPTIONS =
      Set.of(
          "v", "key", "name", "ns", "background", "clustered", "2dsphereIndexVersion", "buildUUID");

  private static final String UNIQUE = "unique";
  private static final KeyPattern ID = KeyPattern.ascending("_id");

  /** Reads an entry of {@code listIndexes}. */
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

  /** Its fields, then its options. */
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
