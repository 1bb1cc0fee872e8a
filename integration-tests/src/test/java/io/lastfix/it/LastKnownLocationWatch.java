package io.lastfix.it;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
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
      lastByUser.put(document.getString("_id").getValue(), document.getDocument("last"));
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
      BsonDocument after = last(change, before);
      if (before != null) {
        assertThat(compare(before, after))
            .as("(ts, cell) of a user from %s to %s", before, after)
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

  /**
   * An update tells what changed only: the whole of {@code last}, or fields of it by their path.
   */
  private static BsonDocument last(ChangeStreamDocument<BsonDocument> change, BsonDocument before) {
    return switch (change.getOperationType()) {
      case INSERT, REPLACE -> change.getFullDocument().getDocument("last");
      case UPDATE -> {
        BsonDocument after = before.clone();
        for (Map.Entry<String, BsonValue> field :
            change.getUpdateDescription().getUpdatedFields().entrySet()) {
          String[] path = field.getKey().split("\\.", -1);
          if (path.length == 1) {
            after = field.getValue().asDocument();
          } else if (path.length == 2) {
            after.put(path[1], field.getValue());
          } else {
            after.getDocument(path[1]).put(path[2], field.getValue());
          }
        }
        yield after;
      }
      default -> throw new AssertionError("nobody may do this here: " + change.getOperationType());
    };
  }

  private static int compare(BsonDocument a, BsonDocument b) {
    BsonDateTime first = a.getDateTime("ts");
    int byTime = first.compareTo(b.getDateTime("ts"));
    return byTime == 0
        ? a.getString("cell").getValue().compareTo(b.getString("cell").getValue())
        : byTime;
  }

  @Override
  public void close() {
    changes.close();
  }
}
