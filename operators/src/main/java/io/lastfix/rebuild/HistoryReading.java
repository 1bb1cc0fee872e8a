package io.lastfix.rebuild;

import static java.util.Objects.requireNonNull;

import com.mongodb.ReadPreference;
import com.mongodb.client.model.Filters;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.store.history.HistoryDocument;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.bson.BsonDocument;

/**
 * Which documents of History are read, and as what.
 *
 * @param <T> the records
 */
public abstract class HistoryReading<T> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The documents with a position. */
  public static final HistoryReading<LocatedRecord> LOCATED = new Located();

  /**
   * All documents, from a secondary if there is one, so that ingest does not suffer. A secondary
   * that is behind by more than a minute and a half does not answer.
   */
  public static final HistoryReading<LocatedRecord> ALL = new All();

  /** The documents without a position. */
  public static final HistoryReading<LocationRecord> UNLOCATED = new Unlocated();

  private HistoryReading() {}

  /**
   * Returns which server answers: the primary, if a record that is missing or old would do harm. A
   * secondary may lag behind by hours.
   */
  ReadPreference readPreference() {
    return ReadPreference.primary();
  }

  /** Selects the documents. */
  abstract BsonDocument filter();

  /** The fields that {@link #record} needs, without {@code _id}. */
  abstract List<String> fields();

  /**
   * Returns the record of a document.
   *
   * @throws IllegalArgumentException if a field violates the format; names the field without its
   *     value
   */
  abstract T record(BsonDocument document);

  /** Returns the type of the records. */
  abstract TypeInformation<T> type();

  private static BsonDocument has(String field, boolean hasIt) {
    return requireNonNull(Filters.exists(field, hasIt)).toBsonDocument();
  }

  private static final class Located extends HistoryReading<LocatedRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    BsonDocument filter() {
      return has("loc", true);
    }

    @Override
    List<String> fields() {
      return List.of("user", "ts", "cell", "loc", "src", "acc");
    }

    @Override
    LocatedRecord record(BsonDocument document) {
      return HistoryDocument.toRecord(document);
    }

    @Override
    TypeInformation<LocatedRecord> type() {
      return RecordTypes.LOCATED_RECORD;
    }
  }

  private static final class All extends HistoryReading<LocatedRecord> {
    private static final long serialVersionUID = 1L;

    /** The least that MongoDB accepts. */
    private static final long MAX_STALENESS_SECONDS = 90;

    @Override
    ReadPreference readPreference() {
      return ReadPreference.secondaryPreferred(MAX_STALENESS_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    BsonDocument filter() {
      return new BsonDocument();
    }

    @Override
    List<String> fields() {
      return List.of("user", "ts", "cell", "loc", "src", "acc", "radio");
    }

    @Override
    LocatedRecord record(BsonDocument document) {
      return HistoryDocument.toAnyRecord(document);
    }

    @Override
    TypeInformation<LocatedRecord> type() {
      return RecordTypes.LOCATED_RECORD;
    }
  }

  private static final class Unlocated extends HistoryReading<LocationRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    BsonDocument filter() {
      return has("loc", false);
    }

    @Override
    List<String> fields() {
      return List.of("user", "ts", "cell", "radio");
    }

    @Override
    LocationRecord record(BsonDocument document) {
      return HistoryDocument.toUnlocatedRecord(document);
    }

    @Override
    TypeInformation<LocationRecord> type() {
      return RecordTypes.LOCATION_RECORD;
    }
  }
}
