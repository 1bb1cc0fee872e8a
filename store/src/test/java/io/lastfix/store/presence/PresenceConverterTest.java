package io.lastfix.store.presence;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import java.util.Objects;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class PresenceConverterTest {
  private static Presence presence(Presence.State state, long since, long seen) {
    return new Presence("$a", state, since, seen, new DeviceDescription("phone", null, null));
  }

  @Test
  void theUpdateReplacesTheDocumentOnlyIfSeenAndThenSinceIsGreater() {
    UpdateOneModel<BsonDocument> write =
        (UpdateOneModel<BsonDocument>)
            new PresenceConverter().apply(presence(Presence.State.OFFLINE, 2_000, 1_000));

    assertThat(write.getOptions().isUpsert()).isTrue();
    assertThat(Objects.requireNonNull(write.getUpdatePipeline()).get(0).toBsonDocument())
        .isEqualTo(
            BsonDocument.parse(
                """
                {"$replaceWith": {"$cond": [
                  {"$gt": [
                    [{"$date": "1970-01-01T00:00:01Z"}, {"$date": "1970-01-01T00:00:02Z"}],
                    [{"$ifNull": ["$seen", null]}, {"$ifNull": ["$since", null]}]]},
                  {"$literal": {"_id": "$a", "state": "offline",
                    "since": {"$date": "1970-01-01T00:00:02Z"},
                    "seen": {"$date": "1970-01-01T00:00:01Z"},
                    "class": "phone", "sdk": null, "manifest": null}},
                  "$$ROOT"]}}
                """));
  }

  @Test
  void aForgottenDevicesDocumentIsDeletedUnlessItHoldsALaterSignOfLife() {
    DeleteOneModel<BsonDocument> write =
        (DeleteOneModel<BsonDocument>)
            new PresenceConverter().apply(presence(Presence.State.FORGOTTEN, 9_000, 1_000));

    assertThat(write.getFilter().toBsonDocument())
        .isEqualTo(
            BsonDocument.parse("{_id: '$a', seen: {$lte: {$date: '1970-01-01T00:00:01Z'}}}"));
  }

  @Test
  void aLaterSignOfLifeWinsOverASilenceThatAnotherReadingDatedLater() {
    Presence silent = presence(Presence.State.OFFLINE, 5_000, 1_000);
    Presence there = presence(Presence.State.ONLINE, 500, 1_001);

    assertThat(there.isNewerThan(silent)).isTrue();
    assertThat(silent.isNewerThan(there)).isFalse();
    assertThat(silent.isNewerThan(presence(Presence.State.ONLINE, 500, 1_000))).isTrue();
    assertThat(silent.isNewerThan(silent)).isFalse();
  }
}
