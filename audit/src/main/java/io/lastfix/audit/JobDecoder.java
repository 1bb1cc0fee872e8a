package io.lastfix.audit;

import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.parse.PartitionAdmission;
import io.lastfix.parse.RecordConsumer;
import io.lastfix.parse.RecordDecoder;
import io.lastfix.parse.Rejection;
import io.lastfix.parse.SenderCheck;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.UserRule;
import io.lastfix.parse.profile.Profile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The job's decoder of one profile, which defines how the rest of a broken message is read. It
 * accepts times too far ahead, which the caller judges.
 */
final class JobDecoder {
  private static final Duration ANY_TIME = Duration.ofMillis(Long.MAX_VALUE);

  private final RecordDecoder decoder;
  private final RecordDecoder decoderOfCheckedUsers;
  private final SenderCheck senders = new SenderCheck(UserRule.ALL);

  JobDecoder(Profile profile, JudgingLimits limits) {
    decoder = decoder(profile, limits, null);
    decoderOfCheckedUsers = decoder(profile, limits, senders);
  }

  private static RecordDecoder decoder(
      Profile profile, JudgingLimits limits, @Nullable SenderCheck senders) {
    return RecordDecoder.of(
        profile,
        limits.decoder(),
        new TimestampLimits(ANY_TIME, limits.timestamp().floor()),
        PartitionAdmission.OF_ALL,
        () -> 0,
        senders);
  }

  /**
   * The content of one message.
   *
   * @param notRecords the number of what the profile knows to be no record
   */
  record Decoded(List<FoundRecord> records, List<RecordedRejection> rejections, long notRecords) {}

  /** Decodes a message that may have records of anyone. */
  Decoded decode(byte @Nullable [] message) {
    return decode(decoder, message);
  }

  /** Decodes a message that may have the records of its sender, and those it may speak for. */
  Decoded decodeWithCheckedUsers(ConsumerRecord<?, byte @Nullable []> message) {
    senders.sender(new ConsumedHeaders(message.headers()));
    return decode(decoderOfCheckedUsers, message.value());
  }

  private static Decoded decode(RecordDecoder decoder, byte @Nullable [] message) {
    List<FoundRecord> records = new ArrayList<>();
    List<RecordedRejection> rejections = new ArrayList<>();
    AtomicLong notRecords = new AtomicLong();
    decoder.decode(
        message,
        new RecordConsumer() {
          @Override
          public void record(LocationRecord record) {
            records.add(found(record));
          }

          @Override
          public void notRecord() {
            notRecords.incrementAndGet();
          }

          @Override
          public void rejected(Rejection rejection) {
            rejections.add(
                new RecordedRejection(
                    rejection.reason().code(), rejection.detail(), rejection.records()));
          }
        });
    return new Decoded(records, rejections, notRecords.get());
  }

  private static FoundRecord found(LocationRecord record) {
    Fix fix = record.fix();
    OwnPosition own =
        fix == null
            ? null
            : new OwnPosition(
                fix.position().lon(),
                fix.position().lat(),
                fix.source().text(),
                fix.accuracyMeters(),
                fix.altitudeMeters(),
                fix.shape());
    CellId cell = record.cell();
    if (cell == null) {
      return FoundRecord.withoutCell(
          record.user(), record.timestampMillis(), Objects.requireNonNull(own, "position"));
    }
    return new FoundRecord(
        record.user(),
        cell.mcc(),
        cell.mnc(),
        cell.hasArea() ? cell.area() : FoundRecord.NO_AREA,
        cell.cid(),
        record.radio(),
        record.timestampMillis(),
        own);
  }
}
