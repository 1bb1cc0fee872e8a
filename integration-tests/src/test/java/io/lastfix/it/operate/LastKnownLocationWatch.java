package io.lastfix.it.operate;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import io.lastfix.it.harness.LocationRun;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Sees every change of Last Known Location, in the server's own order, from the moment it is made:
 * a change stream. Make it while nothing writes.
 */
final class LastKnownLocationWatch implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String SENTINEL = "-- end of the watch --";

  private final MongoCollection<BsonDocument> collection;
  private final MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> changes;
  private final Map<String, BsonDocument> lastByUser = new HashMap<>();
  private final Set<String> changedUsers = new TreeSet<>();

  LastKnownLocationWatch(LocationRun run) {
    collection =
        run.database()
            .getCollection(run.config().lastKnownLocation().collection(), BsonDocument.class);
    changes = collection.watch().maxAwaitTime(1, TimeUnit.SECONDS).cursor();
    for (BsonDocument document : collection.find()) {
      lastByUser.put(document.getString("_id").getValue(), document);
    }
  }

  /** Goes through all changes up to now. */
  void assertNobodyWentBack() {
    BsonString end = new BsonString(SENTINEL);
    collection.insertOne(new BsonDocument("_id", end));
    collection.deleteOne(eq("_id", end));
    Instant deadline = Instant.now().plus(LIMIT);
    while (true) {
      ChangeStreamDocument<BsonDocument> change = next(deadline);
      String user = change.getDocumentKey().getString("_id").getValue();
      if (user.equals(SENTINEL)) {
        // Not at its insertion: the next call would end at the deletion, and see nothing.
        if (change.getOperationType() == OperationType.DELETE) {
          return;
        }
        continue;
      }
      changedUsers.add(user);
      BsonDocument before = lastByUser.get(user);
      BsonDocument after = after(change, before);
      for (String field : before == null ? List.<String>of() : List.of("last", "fix")) {
        assertThat(compare(before.get(field, BsonNull.VALUE), after.get(field, BsonNull.VALUE)))
            .as("%s of a user from %s to %s", field, before, after)
            .isLessThanOrEqualTo(0);
      }
      lastByUser.put(user, after);
    }
  }

  private ChangeStreamDocument<BsonDocument> next(Instant deadline) {
    ChangeStreamDocument<BsonDocument> change = changes.tryNext();
    while (change == null) {
      assertThat(Instant.now()).as("the end of the watch must come").isBefore(deadline);
      change = changes.tryNext();
    }
    return change;
  }

  /** Whose document was made or changed, as far as {@link #assertNobodyWentBack} has gone. */
  Set<String> changedUsers() {
    return changedUsers;
  }

  /** An update tells what changed only: {@code last}, {@code fix}, or fields of them by path. */
  private static BsonDocument after(
      ChangeStreamDocument<BsonDocument> change, BsonDocument before) {
    return switch (change.getOperationType()) {
      case INSERT, REPLACE -> change.getFullDocument();
      case UPDATE -> {
        BsonDocument after = before.clone();
        for (Map.Entry<String, BsonValue> field :
            change.getUpdateDescription().getUpdatedFields().entrySet()) {
          List<String> path = List.of(field.getKey().split("\\.", -1));
          BsonDocument parent = after;
          for (String name : path.subList(0, path.size() - 1)) {
            parent = parent.getDocument(name);
          }
          parent.put(path.get(path.size() - 1), field.getValue());
        }
        yield after;
      }
      default -> throw new AssertionError("nobody may do this here: " + change.getOperationType());
    };
  }

  /** As MongoDB compares: field by field, and null before all else. */
  private static int compare(BsonValue a, BsonValue b) {
    if (a.isNull() || b.isNull()) {
      return Boolean.compare(!a.isNull(), !b.isNull());
    }
    if (a.isDocument()) {
      for (String field : a.asDocument().keySet()) {
        int order = compare(a.asDocument().get(field), b.asDocument().get(field, BsonNull.VALUE));
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
    return switch (a.getBsonType()) {
      case DATE_TIME -> a.asDateTime().compareTo(b.asDateTime());
      case STRING -> a.asString().getValue().compareTo(b.asString().getValue());
      default -> Double.compare(a.asDouble().getValue(), b.asDouble().getValue());
    };
  }

  @Override
  public void close() {
    changes.close();
  }
}
