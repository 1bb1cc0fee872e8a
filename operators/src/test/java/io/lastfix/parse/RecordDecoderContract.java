package io.lastfix.parse;

import static io.lastfix.parse.Messages.RECORD;
import static io.lastfix.parse.Messages.gzip;
import static io.lastfix.parse.Messages.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.RejectionReason;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.PartitionPeriod;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What every decoder does, whatever the format. Each format's test says how to write a record. */
abstract class RecordDecoderContract {
  static final DecoderLimits TIGHT = new DecoderLimits(4_000, 20_000, 5, 8, 32, 2);

  abstract String profile();

  /** A message of {@link Messages#RECORD} alone. */
  abstract String one();

  /** {@link #one()} with another user; null: with none. */
  abstract String withUser(String user);

  abstract String withoutUser();

  abstract String withTime(String iso8601);

  abstract String many(String... records);

  /** Nested so deep, around nothing. */
  abstract String nested(int depth);

  /** A field that no path leads to, that long, in a record. */
  abstract String withExtraText(int length);

  abstract String message(Charset charset);

  Decoded decode(String message) {
    return Decoded.of(Decoded.decoder(profile()), message);
  }

  Decoded decode(byte[] message) {
    return Decoded.of(Decoded.decoder(profile()), message);
  }

  private Decoded decodeTight(byte[] message) {
    return Decoded.of(Decoded.decoder(profile(), TIGHT), message);
  }

  static void assertRejected(Decoded decoded, RejectionReason reason, String detail) {
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejections).containsExactly(new Rejection(reason, detail));
  }

  @Test
  void oneRecordIsDecoded() {
    Decoded decoded = decode(one());
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records).containsExactly(RECORD);
  }

  @Test
  void aMessageIsLeftUntouched() {
    byte[] message = utf8(many(one(), one()));
    byte[] copy = message.clone();
    decode(message);
    assertThat(message).isEqualTo(copy);
  }

  @Test
  void manyRecordsAreDecodedInOrder() {
    Decoded decoded = decode(many(withUser("a"), withUser("b"), withUser("c")));
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "b", "c");
  }

  @Test
  void aDecoderForgetsTheMessageBefore() {
    RecordDecoder decoder = Decoded.decoder(profile());
    Decoded.of(decoder, one().substring(0, one().length() / 2));
    assertThat(Decoded.of(decoder, one()).records).containsExactly(RECORD);
    assertThat(Decoded.of(decoder, withoutUser()).records).isEmpty();
  }

  @Test
  void aBadRecordBetweenGoodOnesIsRejectedByItsNumber() {
    Decoded decoded = decode(many(withUser("a"), withoutUser(), withUser("c")));
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "c");
    assertThat(decoded.rejections).hasSize(1);
    assertThat(decoded.rejections.get(0).reason()).isEqualTo(RejectionReason.MISSING_FIELD);
    assertThat(decoded.rejections.get(0).detail()).startsWith("record 2: ").endsWith(": missing");
  }

  @Test
  void anEmptyUserIsMissing() {
    assertThat(decode(withUser(" ")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MISSING_FIELD);
  }

  @Test
  void noBytesAreRejected() {
    assertRejected(
        Decoded.of(Decoded.decoder(profile()), (byte[]) null),
        RejectionReason.MALFORMED,
        "the message is empty");
    assertRejected(decode(new byte[0]), RejectionReason.MALFORMED, "the message is empty");
  }

  @Test
  void aMessageCutShortKeepsTheRecordsBefore() {
    String whole = many(withUser("a"), withUser("b"));
    Decoded decoded = decode(whole.substring(0, whole.lastIndexOf("b") + 1));
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a");
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MALFORMED);
    assertThat(decoded.rejections.get(0).detail()).contains("record 2");
  }

  @Test
  void nothingOfTheMessageGetsIntoADetail() {
    String secret = "secret-4711";
    Decoded cut = decode(withUser(secret).replaceAll("\\s*[}>]\\s*$", ""));
    Decoded badTime = decode(withTime(secret));
    assertThat(cut.rejections).hasSize(1);
    assertThat(badTime.rejections).hasSize(1);
    assertThat(cut.rejections.get(0).detail()).doesNotContain("4711");
    assertThat(badTime.rejections.get(0).detail()).doesNotContain("4711");
  }

  @Test
  void aTimeAtTheAllowedSkewIsTakenAndOneMillisecondMoreIsRejected() {
    assertThat(decode(withTime("2026-11-20T12:05:30.000Z")).records).hasSize(1);
    assertThat(decode(withTime("2026-11-20T12:05:30.001Z")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.TIMESTAMP_AHEAD);
  }

  @Test
  void aTimeAtTheFloorIsTakenAndOneMillisecondLessIsRejected() {
    assertThat(decode(withTime("2000-01-01T00:00:00.000Z")).records).hasSize(1);
    assertThat(decode(withTime("1999-12-31T23:59:59.999Z")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.TIMESTAMP_BEFORE_FLOOR);
  }

  @Test
  void aTimeInTheFirstPartitionThatIsKeptIsTakenAndOneMillisecondLessIsRejected() {
    // 31 days before now is in October.
    RecordDecoder keepingMonths =
        RecordDecoder.of(
            Decoded.profile(profile()),
            DefaultLimits.DECODER,
            new TimestampLimits(
                Duration.ofMinutes(5),
                Instant.EPOCH,
                HistoryRetention.of(PartitionPeriod.MONTH, Duration.ofDays(31), Duration.ZERO)),
            () -> Messages.NOW);
    assertThat(Decoded.of(keepingMonths, withTime("2026-10-01T00:00:00.000Z")).records).hasSize(1);
    assertThat(Decoded.of(keepingMonths, withTime("2026-09-30T23:59:59.999Z")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.OLDER_THAN_RETENTION);
    assertThat(Decoded.of(keepingMonths, withTime("2026-11-20T12:05:30.001Z")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.TIMESTAMP_AHEAD);
  }

  @Test
  void aTimeThatIsNoneIsABadValue() {
    assertThat(decode(withTime("2026-02-29T12:00:00Z")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
  }

  @Test
  void gzipIsRecognisedWithOneMemberOrSeveral() {
    byte[] message = utf8(one());
    int half = message.length / 2;
    byte[] first = Arrays.copyOf(message, half);
    byte[] second = Arrays.copyOfRange(message, half, message.length);
    assertThat(decode(gzip(message)).records).containsExactly(RECORD);
    assertThat(decode(gzip(first, second)).records).containsExactly(RECORD);
  }

  @Test
  void aGzipBombIsRejectedAtTheLimit() {
    byte[] bomb = gzip(new byte[TIGHT.maxDecompressedBytes() + 1]);
    assertRejected(
        decodeTight(bomb), RejectionReason.MESSAGE_TOO_LARGE, "more than 20000 bytes decompressed");
  }

  @Test
  void damagedGzipIsMalformed() {
    byte[] gzip = gzip(utf8(one()));
    byte[] withBadChecksum = gzip.clone();
    withBadChecksum[gzip.length - 5] ^= 1;
    byte[] withGarbageBehind = Arrays.copyOf(gzip, gzip.length + 3);
    for (byte[] damaged :
        new byte[][] {Arrays.copyOf(gzip, gzip.length - 1), withBadChecksum, withGarbageBehind}) {
      Decoded decoded = decode(damaged);
      assertThat(decoded.records).isEmpty();
      assertThat(decoded.rejections)
          .extracting(Rejection::reason)
          .containsExactly(RejectionReason.MALFORMED);
    }
  }

  @Test
  void aMessageOverTheLimitOfBytesIsRejectedWhole() {
    assertRejected(
        decodeTight(new byte[4_001]),
        RejectionReason.MESSAGE_TOO_LARGE,
        "expected at most 4000 bytes, found 4001");
  }

  @Test
  void recordsPastTheLimitAreRejectedTogetherWithTheirNumber() {
    Decoded decoded = decodeTight(gzip(utf8(many(copies(one(), 12)))));
    assertThat(decoded.records).hasSize(5);
    assertThat(decoded.rejections)
        .containsExactly(
            new Rejection(
                RejectionReason.TOO_MANY_RECORDS,
                "7 records rejected together, the first: expected at most 5 records in a message",
                7));
  }

  @Test
  void aRecordPastTheLimitThatBreaksOffIsCountedOnce() {
    String whole = many(copies(one(), 7));
    Decoded decoded = decodeTight(gzip(utf8(whole.substring(0, whole.length() - 20))));
    assertThat(decoded.records).hasSize(5);
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MALFORMED, RejectionReason.TOO_MANY_RECORDS);
    assertThat(decoded.rejectedRecords()).isEqualTo(2);
    assertThat(decoded.rejections.get(0).detail()).endsWith(", in record 7");
  }

  @Test
  void aBreakBetweenRecordsSaysSo() {
    String whole = many(withUser("a"), withUser("b"));
    String second = withUser("b");
    Decoded decoded = decode(whole.substring(0, whole.lastIndexOf(second)));
    assertThat(decoded.records).hasSize(1);
    assertThat(decoded.rejections).hasSize(1);
    assertThat(decoded.rejections.get(0).detail()).endsWith(", after record 1");
  }

  @Test
  void badRecordsPastTheLimitAreRejectedTogether() {
    Decoded decoded = decodeTight(gzip(utf8(many(copies(withoutUser(), 5)))));
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejections).extracting(Rejection::records).containsExactly(1, 1, 3);
    assertThat(decoded.rejections.get(2).detail())
        .startsWith("3 records rejected together, the first: record 3: ");
  }

  @Test
  void singleRejectionsCarryNoMoreThanFourOfTheLongestMessages() {
    byte[] message = utf8(many(copies(withoutUser(), 50)));
    DecoderLimits defaults = DefaultLimits.DECODER;
    for (int[] bytesAndSingle : new int[][] {{message.length, 4}, {message.length * 3, 12}}) {
      DecoderLimits limits =
          new DecoderLimits(
              bytesAndSingle[0],
              defaults.maxDecompressedBytes(),
              defaults.maxRecordsPerMessage(),
              defaults.maxNestingDepth(),
              defaults.maxTextLength(),
              defaults.maxRejectionsPerMessage());
      Decoded decoded = Decoded.of(Decoded.decoder(profile(), limits), message);
      assertThat(decoded.rejections).hasSize(bytesAndSingle[1] + 1);
      assertThat(decoded.rejectedRecords()).isEqualTo(50);
    }
  }

  @Test
  void aFieldOverTheLimitOfLengthIsABadValue() {
    assertThat(Decoded.of(Decoded.decoder(profile(), TIGHT), withUser("x".repeat(32))).records)
        .hasSize(1);
    assertThat(Decoded.of(Decoded.decoder(profile(), TIGHT), withUser("x".repeat(33))).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
  }

  @Test
  void aTextThatIsNotReadMayBeLong() {
    assertThat(decode(withExtraText(100_000)).records).containsExactly(RECORD);
  }

  @Test
  void nestingPastTheLimitIsMalformed() {
    for (int depth : new int[] {65, 1_000, 50_000}) {
      Decoded decoded = decode(nested(depth));
      assertThat(decoded.rejections)
          .extracting(Rejection::reason)
          .containsExactly(RejectionReason.MALFORMED);
      assertThat(decoded.rejections.get(0).detail()).contains("nested");
    }
  }

  @Test
  void aUserMayBeWrittenInAnyLanguage() {
    assertThat(decode(withUser("Zoë-😀-用户")).records)
        .extracting(record -> record.user())
        .containsExactly("Zoë-😀-用户");
  }

  @Test
  void aControlCharacterInAUserIsABadValue() {
    assertThat(decode(withUser("a\u0085b")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
  }

  @Test
  void unicodeWithAByteOrderMarkIsDecoded() {
    for (Charset charset :
        new Charset[] {
          StandardCharsets.UTF_8, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE
        }) {
      Decoded decoded = decode(("\ufeff" + message(charset)).getBytes(charset));
      assertThat(decoded.records).as("%s", charset).containsExactly(RECORD);
      assertThat(decoded.rejections).as("%s", charset).isEmpty();
    }
  }

  @Test
  void bytesThatAreNotUtf8AreMalformed() {
    byte[] message = utf8(withUser("abc"));
    message[indexOf(message, 'b')] = (byte) 0xff;
    assertThat(decode(message).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MALFORMED);
  }

  private static int indexOf(byte[] bytes, char c) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    return text.indexOf("a" + c) + 1;
  }

  static String[] copies(String text, int count) {
    return Collections.nCopies(count, text).stream()
        .collect(Collectors.toList())
        .toArray(String[]::new);
  }
}
