package io.lastfix.testcontainers;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;
import org.bson.Document;

/**
 * Assertions about what Lastfix stores. Records are stored some time after they are sent, so each
 * assertion waits until it holds, for at most {@link LastfixContainers#withAssertionLimit}.
 */
public final class LastfixAssert extends AbstractAssert<LastfixAssert, LastfixContainers> {
  private static final String LAST_KNOWN_LOCATION = "last_known_location";
  private static final String HISTORY = "history";

  LastfixAssert(LastfixContainers actual) {
    super(actual, LastfixAssert.class);
  }

  /** Waits for the last known location of a user, and continues with it. */
  public LocationAssert lastKnownLocation(String user) {
    isNotNull();
    return new LocationAssert(
        "last known location of " + user,
        actual.assertionLimit(),
        () ->
            actual
                .database()
                .getCollection(LAST_KNOWN_LOCATION)
                .find(Filters.eq(user))
                .map(document -> document.get("last", Document.class))
                .first());
  }

  /**
   * Waits for a user's documents in History, and asserts on them, the oldest first.
   *
   * @param size how many documents it waits for
   */
  public ListAssert<Document> history(String user, int size) {
    isNotNull();
    List<Document> found = new ArrayList<>();
    Waiting.until(
        actual.assertionLimit(),
        () -> {
          found.clear();
          actual
              .database()
              .getCollection(HISTORY)
              .find(Filters.eq("user", user))
              .sort(Sorts.ascending("ts"))
              .into(found);
          return found.size() >= size;
        },
        () ->
            failureWithActualExpected(
                found.size(),
                size,
                "Expecting History to have %d documents of %s within %d s, found: %s",
                size,
                user,
                actual.assertionLimit().toSeconds(),
                found));
    return Assertions.assertThat(found).as("History of %s", user).hasSize(size);
  }
}
