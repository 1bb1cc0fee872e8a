package io.lastfix.parse;

import static io.lastfix.parse.Messages.JSON_POSITION;
import static io.lastfix.parse.Messages.MLP_CGI_POS;
import static io.lastfix.parse.Messages.MLP_CGI_RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Radio;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records from before a release that reads positions, as the release before it read them. */
class PositionsSinceTest {
  private static final Instant TIME = Instant.ofEpochMilli(MLP_CGI_RECORD.timestampMillis());
  private static final String CELL =
      "\"cell\":{\"radio\":\"LTE\",\"mcc\":234,\"mnc\":10,\"cid\":7},\"user\"";

  private static Decoded decode(String profile, String message, Instant positionsSince) {
    Decoded fast = decode(profile, message, positionsSince, true);
    Decoded byTheLibrary = decode(profile, message, positionsSince, false);
    assertThat(fast.records).isEqualTo(byTheLibrary.records);
    assertThat(fast.positionsIgnored).isEqualTo(byTheLibrary.positionsIgnored);
    assertThat(fast.rejections).isEmpty();
    return fast;
  }

  private static Decoded decode(
      String profile, String message, Instant positionsSince, boolean fast) {
    TimestampLimits limits =
        new TimestampLimits(Duration.ofMinutes(5), Instant.EPOCH, null, positionsSince);
    return Decoded.of(
        RecordDecoder.of(
            Decoded.profile(profile), DecoderLimits.defaults(), limits, () -> Messages.NOW, fast),
        message);
  }

  @Test
  void anEarlierRecordWithACellIsAtItsCellOnly() {
    Decoded decoded = decode("mlp", MLP_CGI_POS, TIME.plusMillis(1));

    assertThat(decoded.records)
        .containsExactly(
            new LocationRecord(
                MLP_CGI_RECORD.user(),
                CellId.parse("234-15-311-40021"),
                null,
                MLP_CGI_RECORD.timestampMillis()));
    assertThat(decoded.positionsIgnored).as("positions counted as unusable").isZero();
  }

  @Test
  void itsRadioStays() {
    Decoded decoded =
        decode(
            "json", JSON_POSITION.replace("\"user\"", CELL), Instant.parse("2026-11-21T00:00:00Z"));

    assertThat(decoded.records)
        .extracting(LocationRecord::place)
        .containsExactly(new Place.AtCell(CellId.parse("234-10--7"), Radio.LTE));
  }

  @Test
  void aRecordOfThatTimeOrLaterHasItsPosition() {
    assertThat(decode("mlp", MLP_CGI_POS, TIME).records).containsExactly(MLP_CGI_RECORD);
  }

  @Test
  void anUnusablePositionOfAnEarlierRecordIsNotCounted() {
    String zero =
        JSON_POSITION
            .replace("\"user\"", CELL)
            .replace("\"lon\":-0.1276,\"lat\":51.5072", "\"lon\":0,\"lat\":0");

    assertThat(decode("json", zero, TIME.plusSeconds(60)).positionsIgnored).isZero();
    assertThat(decode("json", zero, TIME).positionsIgnored).isEqualTo(1);
  }

  /** The release before rejected it, so that History does not have it. */
  @ParameterizedTest
  @ValueSource(strings = {"\"user\"", "\"cell\":\"2147483647\",\"user\""})
  void anEarlierRecordWithoutAReadableCellHasItsPosition(String user) {
    Decoded decoded = decode("json", JSON_POSITION.replace("\"user\"", user), TIME.plusSeconds(60));

    assertThat(decoded.records)
        .extracting(LocationRecord::place)
        .hasOnlyElementsOfType(Place.AtFix.class);
  }
}
