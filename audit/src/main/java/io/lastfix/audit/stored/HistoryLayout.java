package io.lastfix.audit.stored;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.store.history.HistoryOptions;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonBinary;
import org.bson.BsonBinarySubType;
import org.jspecify.annotations.Nullable;

/**
 * The collection and {@code _id} of a record in History. It is implemented from the documentation,
 * not with the sink's code: {@code _id} is 8 bytes of the time, then the first 12 bytes of the
 * SHA-256 of the place, a blank and the user. The place is the cell, or nothing without one; then
 * the {@link OwnPosition#identity identity} of the record's own position, if it has one.
 *
 * <p>A period is a number here: 202611, 20261120 or 2026112013.
 */
public final class HistoryLayout {
  /** The length of an {@code _id}. */
  public static final int ID_BYTES = 20;

  /**
   * The lower bound of all records' {@code _id}s: MongoDB orders binary data by length, subtype,
   * bytes.
   */
  public static final BsonBinary FIRST_ID = new BsonBinary(new byte[ID_BYTES]);

  /** The upper bound of all records' {@code _id}s, exclusive. */
  public static final BsonBinary END_OF_IDS =
      new BsonBinary(BsonBinarySubType.FUNCTION, new byte[ID_BYTES]);

  private static final int HASH_BYTES = 12;

  private final String prefix;
  private final int partsAfterYear;
  private final Pattern collectionName;
  private final MessageDigest sha256;

  /** The layout of a job with those options. */
  public HistoryLayout(HistoryOptions options) {
    prefix = options.collectionPrefix() + "_";
    partsAfterYear =
        switch (options.period()) {
          case MONTH -> 1;
          case DAY -> 2;
          case HOUR -> 3;
        };
    collectionName = Pattern.compile(Pattern.quote(prefix) + "(\\d{4}(_\\d\\d){1,3})");
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  /** The period that contains that instant. */
  public long period(long timestampMillis) {
    ZonedDateTime time = Instant.ofEpochMilli(timestampMillis).atZone(ZoneOffset.UTC);
    long period = time.getYear() * 100L + time.getMonthValue();
    if (partsAfterYear > 1) {
      period = period * 100 + time.getDayOfMonth();
    }
    return partsAfterYear > 2 ? period * 100 + time.getHour() : period;
  }

  /** The name of a period's collection. */
  public String collection(long period) {
    StringBuilder parts = new StringBuilder();
    long rest = period;
    for (int i = 0; i < partsAfterYear; i++) {
      parts.insert(0, "_%02d".formatted(rest % 100));
      rest /= 100;
    }
    return prefix + "%04d".formatted(rest) + parts;
  }

  /**
   * Returns whether a collection of that name belongs to History, with this or another kind of
   * period.
   */
  public boolean isHistory(String name) {
    return collectionName.matcher(name).matches();
  }

  /** The period of a collection; empty for a name of another form. */
  public OptionalLong period(String name) {
    Matcher matcher = collectionName.matcher(name);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long period = Long.parseLong(matcher.group(1).replace("_", ""));
    return collection(period).equals(name) ? OptionalLong.of(period) : OptionalLong.empty();
  }

  /** The {@code _id} of a record. */
  public byte[] id(FoundRecord record) {
    OwnPosition own = record.own();
    return id(
        record.timestampMillis(), record.cell(), own == null ? "" : own.identity(), record.user());
  }

  /**
   * The {@code _id} of a record.
   *
   * @param cell null without one
   * @param own the {@link OwnPosition#identity identity} of its own position; empty: it has none
   */
  public byte[] id(long timestampMillis, @Nullable String cell, String own, String user) {
    String place = (cell == null ? "" : cell) + own;
    byte[] hash = sha256.digest((place + ' ' + user).getBytes(UTF_8));
    return ByteBuffer.allocate(ID_BYTES).putLong(timestampMillis).put(hash, 0, HASH_BYTES).array();
  }
}
