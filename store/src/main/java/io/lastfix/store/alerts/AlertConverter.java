package io.lastfix.store.alerts;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.store.history.HistoryDocumentConverter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt64;
import org.bson.BsonNumber;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Converts an alert to the insert of its document, and back. What is not known is absent:
 *
 * <pre>
 * {_id: {user, at: Date, rule, v: Long, kind}, confirmed: Date, fence, cause, loc: {lon, lat},
 *  cell, src, acc, certainty, counted: Long, then: [{webhook: "x"}, {mqtt: "y"}],
 *  ack: {at: Date, by, note}}
 * </pre>
 *
 * <p>{@code ack} is added by an operator. So a repeated alert must not replace the document: it is
 * written only if there is none of its {@code _id}.
 */
public final class AlertConverter {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  /** Operators, field names, lengths, numbers, dates, a cell and the names of constants. */
  private static final int MAX_BYTES_BESIDE_TEXTS = 384;

  /** An action without its target: the names of an element and of a field, and lengths. */
  private static final int MAX_BYTES_OF_ACTION = 32;

  /** Chars with up to three bytes in UTF-8. */
  private static final int BYTES_PER_CHAR = 3;

  private AlertConverter() {}

  /** Returns the write that inserts an alert unless it is there. */
  public static WriteModel<BsonDocument> upsert(Alert alert) {
    return new UpdateOneModel<>(
        new BsonDocument("_id", id(alert)),
        new BsonDocument("$setOnInsert", fields(alert)),
        UPSERT);
  }

  /** Returns an upper bound of the write in a message to the server, in bytes. */
  public static int maxEncodedBytes(Alert alert) {
    String fence = alert.fence();
    int chars =
        alert.user().length() + alert.rule().length() + (fence == null ? 0 : fence.length());
    for (Action action : alert.then()) {
      chars += action.target().length();
    }
    return MAX_BYTES_BESIDE_TEXTS
        + MAX_BYTES_OF_ACTION * alert.then().size()
        + BYTES_PER_CHAR * chars;
  }

  /** Returns the {@code _id}: what makes two alerts the same. */
  public static BsonDocument id(Alert alert) {
    return new BsonDocument("user", new BsonString(alert.user()))
        .append("at", new BsonDateTime(alert.atMillis()))
        .append("rule", new BsonString(alert.rule()))
        .append("v", new BsonInt64(alert.version()))
        .append("kind", new BsonString(alert.kind().text()));
  }

  private static BsonDocument fields(Alert alert) {
    BsonDocument fields = new BsonDocument("confirmed", new BsonDateTime(alert.confirmedMillis()));
    if (alert.fence() != null) {
      fields.append("fence", new BsonString(alert.fence()));
    }
    fields.append("cause", new BsonString(alert.cause().text()));
    if (alert.position() != null) {
      fields.append("loc", HistoryDocumentConverter.location(alert.position()));
    }
    if (alert.cell() != null) {
      fields.append("cell", new BsonString(alert.cell().toString()));
    }
    if (alert.source() != null) {
      fields.append("src", new BsonString(alert.source().text()));
    }
    if (alert.accuracyMeters() != null) {
      fields.append("acc", new BsonDouble(alert.accuracyMeters()));
    }
    BsonArray then = new BsonArray();
    alert
        .then()
        .forEach(
            action ->
                then.add(new BsonDocument(action.kind().text(), new BsonString(action.target()))));
    return fields
        .append("certainty", new BsonDouble(alert.certainty()))
        .append("counted", new BsonInt64(alert.counted()))
        .append("then", then);
  }

  /**
   * Returns the alert of a document.
   *
   * @throws IllegalArgumentException if a field violates the format; names the field, without the
   *     text that it has
   */
  public static Alert read(BsonDocument document) {
    BsonDocument id = field(document, "_id", BsonType.DOCUMENT).asDocument();
    return new Alert(
        text(id, "user"),
        millis(id, "at"),
        text(id, "rule"),
        number(id, "v").longValue(),
        constant(id, "kind", Alert.Kind::find),
        millis(document, "confirmed"),
        textIfKnown(document, "fence"),
        constant(document, "cause", Alert.Cause::find),
        document.containsKey("loc") ? position(document) : null,
        document.containsKey("cell") ? CellId.parse(text(document, "cell")) : null,
        document.containsKey("src") ? constant(document, "src", AlertConverter::source) : null,
        document.containsKey("acc") ? number(document, "acc").doubleValue() : null,
        number(document, "certainty").doubleValue(),
        number(document, "counted").longValue(),
        actions(field(document, "then", BsonType.ARRAY).asArray()));
  }

  private static Position position(BsonDocument document) {
    BsonDocument loc = field(document, "loc", BsonType.DOCUMENT).asDocument();
    return new Position(number(loc, "lon").doubleValue(), number(loc, "lat").doubleValue());
  }

  private static Optional<PositionSource> source(String text) {
    return Arrays.stream(PositionSource.values())
        .filter(source -> source.text().equals(text))
        .findFirst();
  }

  /** Skips kinds of a later release. */
  private static List<Action> actions(BsonArray array) {
    List<Action> actions = new ArrayList<>();
    for (BsonValue action : array) {
      for (Action.Kind kind : Action.Kind.values()) {
        if (action.isDocument() && action.asDocument().containsKey(kind.text())) {
          actions.add(new Action(kind, text(action.asDocument(), kind.text())));
        }
      }
    }
    return actions;
  }

  /**
   * Returns who has acknowledged the alert of a document; empty if it is not acknowledged.
   *
   * @throws IllegalArgumentException if a field violates the format; names the field
   */
  public static Optional<Acknowledgement> acknowledgement(BsonDocument document) {
    if (!document.containsKey("ack")) {
      return Optional.empty();
    }
    BsonDocument ack = field(document, "ack", BsonType.DOCUMENT).asDocument();
    return Optional.of(
        new Acknowledgement(
            Instant.ofEpochMilli(millis(ack, "at")), text(ack, "by"), textIfKnown(ack, "note")));
  }

  private static String text(BsonDocument document, String name) {
    return field(document, name, BsonType.STRING).asString().getValue();
  }

  private static @Nullable String textIfKnown(BsonDocument document, String name) {
    return document.containsKey(name) ? text(document, name) : null;
  }

  private static long millis(BsonDocument document, String name) {
    return field(document, name, BsonType.DATE_TIME).asDateTime().getValue();
  }

  /** mongosh may have written another type of number. */
  private static BsonNumber number(BsonDocument document, String name) {
    BsonValue value = document.get(name);
    if (value == null || !value.isNumber()) {
      throw wrong(name, "a number", value);
    }
    return value.asNumber();
  }

  private static <T> T constant(
      BsonDocument document, String name, Function<String, Optional<T>> find) {
    return find.apply(text(document, name))
        .orElseThrow(() -> new IllegalArgumentException(name + ": expected another text"));
  }

  private static BsonValue field(BsonDocument document, String name, BsonType type) {
    BsonValue value = document.get(name);
    if (value == null || value.getBsonType() != type) {
      throw wrong(name, type, value);
    }
    return value;
  }

  private static IllegalArgumentException wrong(
      String name, Object expected, @Nullable BsonValue found) {
    return new IllegalArgumentException(
        "%s: expected %s, found %s"
            .formatted(name, expected, found == null ? "nothing" : found.getBsonType()));
  }
}
