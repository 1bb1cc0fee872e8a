package io.lastfix.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.function.Function;
import org.bson.BsonBinary;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;

/**
 * Makes one record the insert of one document of History:
 *
 * <pre>{_id: BinData(20 bytes), user, ts: Date, cell: "mcc-mnc-area-cid", loc: {lon, lat}}</pre>
 *
 * without {@code loc} where the cell is unknown.
 *
 * <p>A record's identity is (user, ts, cell), and {@code _id} is a function of these alone, so a
 * replay finds its own document, in the same collection and on the same shard. It is 8 bytes of ts
 * (milliseconds since 1970, most significant byte first), then the first 12 bytes of the SHA-256 of
 * the cell's text, a blank and the user in UTF-8 (a cell's text has no blank, so no two pairs read
 * the same). With the time in front, inserts go to the right end of the index, which stays in the
 * cache however large the collection is; RATIONALE-sink.md compares it with five other layouts, and
 * says why a hash of 96 bits is enough.
 */
final class HistoryDocumentConverter implements Function<LocatedRecord, WriteModel<BsonDocument>> {
  private static final int HASH_BYTES = 12;

  @Override
  public WriteModel<BsonDocument> apply(LocatedRecord record) {
    String cell = record.cell().toString();
    BsonDocument document =
        new BsonDocument("_id", id(record.user(), record.timestampMillis(), cell))
            .append("user", new BsonString(record.user()))
            .append("ts", new BsonDateTime(record.timestampMillis()))
            .append("cell", new BsonString(cell));
    Position position = record.position();
    if (position != null) {
      document.append("loc", location(position));
    }
    return new InsertOneModel<>(document);
  }

  /** Longitude first: a {@code 2dsphere} index takes such a pair as it is. */
  static BsonDocument location(Position position) {
    return new BsonDocument("lon", new BsonDouble(position.lon()))
        .append("lat", new BsonDouble(position.lat()));
  }

  private static BsonBinary id(String user, long timestampMillis, String cell) {
    byte[] hash = sha256().digest((cell + ' ' + user).getBytes(UTF_8));
    return new BsonBinary(
        ByteBuffer.allocate(Long.BYTES + HASH_BYTES)
            .putLong(timestampMillis)
            .put(hash, 0, HASH_BYTES)
            .array());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }
}
