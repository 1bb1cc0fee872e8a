package io.lastfix.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.PartitionAdmission.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a decoder does with records whose period History does not take. */
class PartitionAdmissionTest {
  private static final Refusal REFUSAL =
      new Refusal(RejectionReason.TOO_MANY_PARTITIONS, "one too many");

  private final List<Long> asked = new ArrayList<>();
  private final List<LocationRecord> records = new ArrayList<>();
  private final List<Rejection> rejections = new ArrayList<>();

  private void decode(PartitionAdmission admission, String message) {
    RecordDecoder.of(
            Decoded.profile("json"),
            DefaultLimits.DECODER,
            DefaultLimits.TIMESTAMP,
            admission,
            () -> Messages.NOW,
            null)
        .decode(
            message.getBytes(UTF_8),
            new RecordConsumer() {
              @Override
              public void record(LocationRecord record) {
                records.add(record);
              }

              @Override
              public void rejected(Rejection rejection) {
                rejections.add(rejection);
              }
            });
  }

  private static String record(String radio, long timestampMillis) {
    return "{\"user\":\"a\",\"cell\":{\"radio\":\"%s\",\"mcc\":234,\"mnc\":10,\"area\":1,\"cid\":2},\"ts\":%d}"
        .formatted(radio, timestampMillis);
  }

  @Test
  void onlyARecordThatIsGoodInAllOtherRespectsUsesUpWhatIsAllowed() {
    decode(
        (timestamp, now) -> {
          asked.add(timestamp);
          return null;
        },
        "[%s,%s,%s]"
            .formatted(
                record("no radio", Messages.NOW - 1),
                record("LTE", Messages.NOW - 2),
                record("LTE", Messages.NOW + 3_600_000)));

    assertThat(asked).containsExactly(Messages.NOW - 2);
    assertThat(records).hasSize(1);
    assertThat(rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE, RejectionReason.TIMESTAMP_AHEAD);
  }

  @Test
  void thousandsThatAreRefusedDoNotCarryTheMessageAThousandTimes() {
    decode(
        (timestamp, now) -> timestamp == Messages.NOW ? null : REFUSAL,
        IntStream.rangeClosed(0, 2_000)
            .mapToObj(day -> record("LTE", Messages.NOW - day * 86_400L))
            .collect(Collectors.joining(",", "[", "]")));

    assertThat(records).hasSize(1);
    assertThat(rejections).hasSizeLessThanOrEqualTo(101);
    assertThat(rejections)
        .extracting(Rejection::reason)
        .containsOnly(RejectionReason.TOO_MANY_PARTITIONS);
    assertThat(rejections.get(0).detail()).isEqualTo("record 2: ts: one too many");
    assertThat(rejections.stream().mapToInt(Rejection::records).sum()).isEqualTo(2_000);
  }
}
