package io.lastfix.store.presence;

import static io.lastfix.store.history.HistoryDocumentConverter.call;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Converts a presence to the upsert of its device's document, or to its end:
 *
 * <pre>
 * {_id: device, state: "online" | "offline", since: Date, seen: Date, class, sdk, manifest}
 * </pre>
 *
 * <p>{@code class}, {@code sdk} and {@code manifest} are null if the device did not say. The update
 * is a pipeline that replaces the document only if (seen, since) is greater than the stored one, so
 * the newest presence wins in one atomic step, whatever the order of arrival, and a replay ends in
 * the same document. A job that starts afresh may date {@code since} earlier, because of other
 * options or of a shorter topic; its newer signs of life win all the same. BSON orders null, which
 * stands for an absent field, before every date. {@code $max} cannot do that: the fields are not in
 * one embedded document, so that {@code {state: "offline"}} is a query that a person would write.
 *
 * <p>A forgotten device's document is deleted, unless it holds a later sign of life.
 */
public final class PresenceConverter implements Function<Presence, WriteModel<BsonDocument>> {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  @Override
  public WriteModel<BsonDocument> apply(Presence presence) {
    BsonDateTime since = new BsonDateTime(presence.sinceMillis());
    BsonDateTime seen = new BsonDateTime(presence.seenMillis());
    if (presence.state() == Presence.State.FORGOTTEN) {
      return new DeleteOneModel<>(
          new BsonDocument("_id", new BsonString(presence.device()))
              .append("seen", new BsonDocument("$lte", seen)));
    }
    DeviceDescription description = presence.description();
    BsonDocument document =
        new BsonDocument("_id", new BsonString(presence.device()))
            .append("state", new BsonString(presence.state().text()))
            .append("since", since)
            .append("seen", seen)
            .append("class", text(description.deviceClass()))
            .append("sdk", text(description.sdk()))
            .append("manifest", text(description.manifest()));
    BsonArray stored = new BsonArray(List.of(ifAbsentNull("$seen"), ifAbsentNull("$since")));
    BsonDocument newest =
        call(
            "$cond",
            call("$gt", new BsonArray(List.of(seen, since)), stored),
            // A device's id may begin with a dollar sign.
            new BsonDocument("$literal", document),
            new BsonString("$$ROOT"));
    return new UpdateOneModel<>(
        new BsonDocument("_id", new BsonString(presence.device())),
        List.of(new BsonDocument("$replaceWith", newest)),
        UPSERT);
  }

  private static BsonDocument ifAbsentNull(String field) {
    return call("$ifNull", new BsonString(field), BsonNull.VALUE);
  }

  private static BsonValue text(@Nullable String value) {
    return value == null ? BsonNull.VALUE : new BsonString(value);
  }
}
