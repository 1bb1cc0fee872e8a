package io.lastfix.cli.audit;

import com.mongodb.client.model.Filters;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;

/**
 * Which of the stored documents the topics can say something of.
 *
 * @param range the stretch of time that is judged
 * @param coveredFromMillis documents from before may have come from messages that Kafka has deleted
 *     since
 * @param latestBelievedMillis the job would take a record of this time now, and none after it
 */
record Coverage(AuditRange range, long coveredFromMillis, long latestBelievedMillis) {
  /** Whether the topics hold the message of every document of that time. */
  boolean isCovered(long timestampMillis) {
    return timestampMillis >= coveredFromMillis;
  }

  boolean isBelievedNow(long timestampMillis) {
    return timestampMillis <= latestBelievedMillis;
  }

  /** The documents of History that are judged. */
  Bson filter() {
    List<Bson> bounds = new ArrayList<>();
    if (range.from() != null) {
      bounds.add(Filters.gte("ts", Date.from(range.from())));
    }
    if (range.to() != null) {
      bounds.add(Filters.lt("ts", Date.from(range.to())));
    }
    return bounds.isEmpty() ? new BsonDocument() : Filters.and(bounds);
  }
}
