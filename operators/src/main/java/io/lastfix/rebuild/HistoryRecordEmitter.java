package io.lastfix.rebuild;

import io.lastfix.store.history.HistoryDocument;
import java.io.IOException;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplitState;
import org.bson.BsonDocument;

/**
 * Emits documents as records. It keeps no position in a split: after a failure Flink rereads the
 * split from its start, and duplicates change nothing.
 */
record HistoryRecordEmitter<T>(HistoryReading<T> reading)
    implements RecordEmitter<BsonDocument, T, MongoSourceSplitState> {
  @Override
  public void emitRecord(BsonDocument document, SourceOutput<T> output, MongoSourceSplitState split)
      throws IOException {
    T record;
    try {
      record = reading.reader().apply(document);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          ("Collection %s, _id %s is not a document of History: %s. Correct or remove it, and run"
                  + " this job again")
              .formatted(collection(split), HistoryDocument.describeId(document), e.getMessage()));
    }
    output.collect(record);
  }

  private static String collection(MongoSourceSplitState split) {
    return ((MongoScanSourceSplit) split.toMongoSourceSplit()).getCollection();
  }
}
