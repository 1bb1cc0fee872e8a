package io.lastfix.audit.stored;

import com.mongodb.client.MongoCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Iterates documents in the order of {@code _id}, those with the same {@code _id} together: MongoDB
 * keeps it unique only within a shard.
 */
public final class DocumentsById implements AutoCloseable {
  private final MongoCursor<BsonDocument> documents;
  private @Nullable BsonDocument next;

  /** Takes over the documents, and closes them when it is closed. */
  public DocumentsById(MongoCursor<BsonDocument> documents) {
    this.documents = documents;
    this.next = documents.hasNext() ? documents.next() : null;
  }

  /** Returns whether there are further documents. */
  public boolean hasNext() {
    return next != null;
  }

  /** All documents with the next {@code _id}; at least one. */
  public List<BsonDocument> next() {
    BsonDocument first = next;
    if (first == null) {
      throw new NoSuchElementException();
    }
    List<BsonDocument> same = new ArrayList<>(1);
    do {
      same.add(next);
      next = documents.hasNext() ? documents.next() : null;
    } while (next != null && Objects.equals(next.get("_id"), first.get("_id")));
    return same;
  }

  /** Groups documents in any order by {@code _id}. */
  public static Map<BsonValue, List<BsonDocument>> of(List<BsonDocument> documents) {
    Map<BsonValue, List<BsonDocument>> byId = new HashMap<>();
    for (BsonDocument document : documents) {
      byId.computeIfAbsent(document.get("_id"), absent -> new ArrayList<>(1)).add(document);
    }
    return byId;
  }

  @Override
  public void close() {
    documents.close();
  }
}
