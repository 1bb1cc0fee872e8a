package io.lastfix.rebuild;

import com.mongodb.ReadPreference;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.store.history.HistoryDocument;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/**
 * Which documents of History are read, and as what.
 *
 * @param prefersSecondary false if a record that is missing or old would do harm: a secondary may
 *     lag behind by hours
 * @param filter selects the documents
 * @param fields the fields that the reader needs, without {@code _id}
 * @param reader makes a document a record; if a field violates the format, it throws an {@link
 *     IllegalArgumentException} that names the field without its value
 * @param type the type of the records
 * @param <T> the records
 */
public record HistoryReading<T>(
    boolean prefersSecondary,
    BsonDocument filter,
    List<String> fields,
    Reader<T> reader,
    TypeInformation<T> type)
    implements Serializable {
  /** The documents with a position. */
  public static final HistoryReading<LocatedRecord> LOCATED =
      new HistoryReading<>(
          false,
          hasPosition(true),
          List.of("user", "ts", "cell", "loc", "src", "acc"),
          HistoryDocument::toRecord,
          RecordTypes.LOCATED_RECORD);

  /**
   * All documents, from a secondary if there is one, so that ingest does not suffer. A secondary
   * that is behind by more than a minute and a half does not answer.
   */
  public static final HistoryReading<LocatedRecord> ALL =
      new HistoryReading<>(
          true,
          new BsonDocument(),
          List.of("user", "ts", "cell", "loc", "src", "acc", "radio"),
          HistoryDocument::toAnyRecord,
          RecordTypes.LOCATED_RECORD);

  /** The documents without a position. */
  public static final HistoryReading<LocationRecord> UNLOCATED =
      new HistoryReading<>(
          false,
          hasPosition(false),
          List.of("user", "ts", "cell", "radio"),
          HistoryDocument::toUnlocatedRecord,
          RecordTypes.LOCATION_RECORD);

  /** The least that MongoDB accepts. */
  private static final long MAX_STALENESS_SECONDS = 90;

  /** Makes a document a record. */
  public interface Reader<T> extends Function<BsonDocument, T>, Serializable {}

  private static BsonDocument hasPosition(boolean hasIt) {
    return new BsonDocument("loc", new BsonDocument("$exists", BsonBoolean.valueOf(hasIt)));
  }

  /** Returns which server answers. */
  ReadPreference readPreference() {
    return prefersSecondary
        ? ReadPreference.secondaryPreferred(MAX_STALENESS_SECONDS, TimeUnit.SECONDS)
        : ReadPreference.primary();
  }
}
