package io.lastfix.store.query;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** One query of one collection, which the server can execute or explain. */
sealed interface Statement {
  String collection();

  /** Runs the query; the first batch has arrived when this returns. */
  MongoCursor<Document> open(MongoDatabase database, long timeLimitMillis);

  /** Returns the query as a command, without its time limit. */
  BsonDocument command();

  /** Returns the query with a limit on its documents. */
  Statement withLimit(int newLimit);

  /**
   * Documents selected by a filter.
   *
   * @param sort null: any order
   * @param hint key of the index to use; null: the server's choice. The server rejects a hint if
   *     the index does not exist
   * @param limit 0: no limit
   */
  record Find(
      String collection,
      BsonDocument filter,
      @Nullable BsonDocument sort,
      @Nullable BsonDocument hint,
      int limit)
      implements Statement {
    @Override
    public MongoCursor<Document> open(MongoDatabase database, long timeLimitMillis) {
      return database
          .getCollection(collection)
          .find(filter)
          .sort(sort)
          .hint(hint)
          .limit(limit)
          .maxTime(timeLimitMillis, TimeUnit.MILLISECONDS)
          .iterator();
    }

    @Override
    public BsonDocument command() {
      BsonDocument command =
          new BsonDocument("find", new BsonString(collection)).append("filter", filter);
      if (sort != null) {
        command.append("sort", sort);
      }
      if (hint != null) {
        command.append("hint", hint);
      }
      return limit == 0 ? command : command.append("limit", new BsonInt32(limit));
    }

    @Override
    public Find withLimit(int newLimit) {
      return new Find(collection, filter, sort, hint, newLimit);
    }
  }

  /**
   * Documents returned by an aggregation.
   *
   * @param stages stages without a {@code $limit} at their end
   * @param hint as of {@link Find}
   * @param limit 0: no limit
   * @param mayUseDisk true: the server may group on disk, whatever its own default is
   */
  record Aggregation(
      String collection,
      List<? extends Bson> stages,
      @Nullable BsonDocument hint,
      int limit,
      @Nullable Boolean mayUseDisk)
      implements Statement {
    public Aggregation {
      stages = List.copyOf(stages);
    }

    Aggregation(
        String collection, List<? extends Bson> stages, @Nullable BsonDocument hint, int limit) {
      this(collection, stages, hint, limit, null);
    }

    @Override
    public MongoCursor<Document> open(MongoDatabase database, long timeLimitMillis) {
      return database
          .getCollection(collection)
          .aggregate(pipeline())
          .hint(hint)
          .allowDiskUse(mayUseDisk)
          .maxTime(timeLimitMillis, TimeUnit.MILLISECONDS)
          .iterator();
    }

    @Override
    public BsonDocument command() {
      BsonDocument command =
          new BsonDocument("aggregate", new BsonString(collection))
              .append(
                  "pipeline", new BsonArray(pipeline().stream().map(Bson::toBsonDocument).toList()))
              .append("cursor", new BsonDocument());
      return hint == null ? command : command.append("hint", hint);
    }

    private List<? extends Bson> pipeline() {
      return limit == 0
          ? stages
          : Stream.concat(stages.stream(), Stream.of(Aggregates.limit(limit))).toList();
    }

    @Override
    public Aggregation withLimit(int newLimit) {
      return new Aggregation(collection, stages, hint, newLimit, mayUseDisk);
    }
  }
}
