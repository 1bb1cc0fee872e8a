package io.lastfix.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class AuditRangeTest {
  private static final Instant ONE = Instant.ofEpochMilli(1);
  private static final Instant BEFORE_1970 = Instant.ofEpochMilli(-1);

  @Test
  void allTimeNeedsNoFilter() {
    assertThat(new AuditRange(null, null).filterOfIds()).isEqualTo(new BsonDocument());
  }

  @Test
  void aStretchIsOneStretchOfIds() {
    assertThat(new AuditRange(ONE, Instant.ofEpochMilli(2)).filterOfIds())
        .isEqualTo(between("0000000000000001", "0000000000000002"));
    assertThat(new AuditRange(ONE, null).filterOfIds())
        .isEqualTo(between("0000000000000001", "8000000000000000"));
    assertThat(new AuditRange(null, BEFORE_1970).filterOfIds())
        .isEqualTo(between("8000000000000000", "ffffffffffffffff"));
  }

  @Test
  void aStretchThatBeginsBefore1970IsTwoOfIds() {
    assertThat(new AuditRange(BEFORE_1970, ONE).filterOfIds())
        .isEqualTo(outside("0000000000000001", "ffffffffffffffff"));
    assertThat(new AuditRange(null, ONE).filterOfIds())
        .isEqualTo(outside("0000000000000001", "8000000000000000"));
    assertThat(new AuditRange(BEFORE_1970, null).filterOfIds())
        .isEqualTo(outside("8000000000000000", "ffffffffffffffff"));
  }

  private static BsonDocument between(String first, String end) {
    return BsonDocument.parse("{_id: {$gte: %s, $lt: %s}}".formatted(id(first), id(end)));
  }

  private static BsonDocument outside(String end, String first) {
    return BsonDocument.parse(
        "{$or: [{_id: {$gte: %s, $lt: %s}}, {_id: {$gte: %s, $lt: %s}}]}"
            .formatted(id(first), endOfIds(), id("0000000000000000"), id(end)));
  }

  /** The smallest id of a time, in hexadecimal digits. */
  private static String id(String time) {
    return binary(time + "0".repeat(24), "00");
  }

  /** After all ids of subtype 0 with their length. */
  private static String endOfIds() {
    return binary("0".repeat(40), "01");
  }

  private static String binary(String digits, String subtype) {
    return "{$binary: {base64: \"%s\", subType: \"%s\"}}"
        .formatted(Base64.getEncoder().encodeToString(HexFormat.of().parseHex(digits)), subtype);
  }
}
