package io.lastfix.audit;

import io.lastfix.audit.StoredCollections.Documents;
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
 * Goes through documents in the order of {@code _id}, those of one {@code _id} together: MongoDB
 * keeps it unique on each shard only.
 */
final class DocumentsById implements AutoCloseable {
  private final Documents documents;
  private @Nullable BsonDocument next;

  /** Closes these documents when it is closed. */
  DocumentsById(Documents documents) {
    this.documents = documents;
    this.next = documents.hasNext() ? documents.next() : null;
  }

  boolean hasNext() {
    return next != null;
  }

  /** All documents of the next {@code _id}: at least one. */
  List<BsonDocument> next() {
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

  /** Documents in any order by their {@code _id}. */
  static Map<BsonValue, List<BsonDocument>> of(List<BsonDocument> documents) {
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
