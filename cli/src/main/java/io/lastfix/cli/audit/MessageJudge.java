package io.lastfix.cli.audit;

import io.lastfix.cli.audit.Discrepancy.Kind;
import io.lastfix.cli.audit.JobDecoder.Decoded;
import io.lastfix.cli.audit.tree.FoundRecord;
import io.lastfix.cli.audit.tree.TreeReader;
import io.lastfix.cli.audit.tree.TreeReading;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.parse.Profile;
import io.lastfix.parse.RejectionReason;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Says of each message of the location topics which of its records History must hold, which it may
 * hold, and whether what cannot be read was rejected.
 *
 * <p>A committed message without rejections is read by a {@link TreeReader}: each of its records
 * must be there. One with rejections is read by the {@link JobDecoder}, and so is one that is not
 * committed yet, for what it may have brought.
 *
 * <p>What was too far ahead was decided by the job's clock, one moment for all records of a
 * message: so of a message with n such rejections the n records with the greatest times are those
 * that were rejected, and all others are not.
 */
final class MessageJudge {
  private static final String AHEAD = RejectionReason.TIMESTAMP_AHEAD.code();

  private final Map<String, TreeReader> treeReaders = new HashMap<>();
  private final Map<String, JobDecoder> jobDecoders = new HashMap<>();
  private final AuditRange range;
  private final long maxAheadMillis;
  private final RejectionLog rejections;
  private final long rejectionsKnownFromMillis;
  private final Findings findings;
  private final SightingConsumer out;
  private final Map<TopicPartition, Long> nextRejected = new HashMap<>();

  /** Takes the records that are found. */
  interface SightingConsumer {
    void accept(Sighting sighting) throws SQLException;
  }

  /**
   * A judge for the topics of that configuration.
   *
   * @param range records of other times are passed over
   * @param rejectionsKnownFromMillis rejections of messages that were published before may be gone
   */
  MessageJudge(
      LocationJobConfig config,
      AuditRange range,
      RejectionLog rejections,
      long rejectionsKnownFromMillis,
      Findings findings,
      SightingConsumer out) {
    for (Profile profile : config.profiles()) {
      String topic = config.kafka().locationTopic(profile.name());
      treeReaders.put(
          topic,
          TreeReader.of(
              profile,
              config.decoderLimits().maxDecompressedBytes(),
              config.decoderLimits().maxNestingDepth()));
      jobDecoders.put(topic, new JobDecoder(profile, config));
    }
    this.range = range;
    this.maxAheadMillis = config.timestampLimits().maxAhead().toMillis();
    this.rejections = rejections;
    this.rejectionsKnownFromMillis = rejectionsKnownFromMillis;
    this.findings = findings;
    this.out = out;
  }

  /**
   * Judges a message; those of a partition come in their order.
   *
   * @param isDue whether it is committed
   */
  void accept(ConsumerRecord<?, byte @Nullable []> message, boolean isDue) throws SQLException {
    findings.messages++;
    if (isRejected(message)) {
      acceptRejected(message, isDue);
    } else if (isDue) {
      acceptStored(message);
    } else {
      Decoded decoded = decoder(message).decode(message.value());
      passOn(message, decoded.records(), Demand.NOT_DUE);
      long rejected = records(decoded.rejections());
      findings.records += rejected;
      findings.notDue += rejected;
    }
  }

  /** Passes on what a message may have brought that came after the audit had begun. */
  void acceptLater(ConsumerRecord<?, byte @Nullable []> message) throws SQLException {
    passOn(message, decoder(message).decode(message.value()).records(), Demand.LATER);
  }

  private boolean isRejected(ConsumerRecord<?, ?> message) throws SQLException {
    TopicPartition partition = new TopicPartition(message.topic(), message.partition());
    long next = nextRejected.getOrDefault(partition, -1L);
    if (next < message.offset()) {
      next = rejections.nextOffset(message.topic(), message.partition(), message.offset());
      nextRejected.put(partition, next);
    }
    return next == message.offset();
  }

  private void acceptStored(ConsumerRecord<?, byte @Nullable []> message) throws SQLException {
    TreeReader reader = treeReaders.get(message.topic());
    if (reader == null) {
      throw noProfile(message);
    }
    TreeReading reading = reader.read(message.value());
    if (!reading.problems().isEmpty()) {
      Decoded decoded = decoder(message).decode(message.value());
      if (!decoded.rejections().isEmpty()) {
        acceptUnrejected(message, decoded);
        return;
      }
    }
    findings.records += reading.problems().size();
    passOn(message, reading.records(), Demand.REQUIRED);
    for (String problem : reading.problems()) {
      neither(message, problem, 1);
    }
  }

  /** A message of which something should have been rejected, and nothing was. */
  private void acceptUnrejected(ConsumerRecord<?, byte @Nullable []> message, Decoded decoded)
      throws SQLException {
    findings.records += records(decoded.rejections());
    passOn(message, decoded.records(), Demand.REQUIRED);
    for (RecordedRejection rejection : decoded.rejections()) {
      neither(message, rejection);
    }
  }

  private void acceptRejected(ConsumerRecord<?, byte @Nullable []> message, boolean isDue)
      throws SQLException {
    List<RecordedRejection> recorded =
        rejections.of(message.topic(), message.partition(), message.offset());
    Decoded decoded = decoder(message).decode(message.value());
    findings.records += records(decoded.rejections());

    long ahead = records(recorded.stream().filter(MessageJudge::isAhead).toList());
    Set<RecordedRejection> then =
        new HashSet<>(recorded.stream().filter(rejection -> !isAhead(rejection)).toList());
    Set<RecordedRejection> now = new HashSet<>(decoded.rejections());
    if (!now.containsAll(then)) {
      // Other rules held then (a profile was mended since): which records passed cannot be told.
      findings.rejectedForGood += records(decoded.rejections());
      passOn(message, decoded.records(), Demand.REJECTED);
      return;
    }
    for (RecordedRejection rejection : decoded.rejections()) {
      if (then.contains(rejection)) {
        findings.rejectedForGood += rejection.records();
      } else if (isDue) {
        neither(message, rejection);
      } else {
        findings.notDue += rejection.records();
      }
    }
    List<FoundRecord> newestFirst =
        decoded.records().stream()
            .sorted(Comparator.comparingLong(FoundRecord::timestampMillis).reversed())
            .toList();
    int tooFarAhead = (int) Math.min(ahead, newestFirst.size());
    passOn(message, newestFirst.subList(0, tooFarAhead), Demand.REJECTED);
    passOn(
        message,
        newestFirst.subList(tooFarAhead, newestFirst.size()),
        isDue ? Demand.REQUIRED : Demand.NOT_DUE);
  }

  private void neither(ConsumerRecord<?, ?> message, RecordedRejection rejection) {
    neither(message, rejection.reason() + ": " + rejection.detail(), rejection.records());
  }

  private void neither(ConsumerRecord<?, ?> message, String what, long records) {
    if (mayLackRejections(message)) {
      findings.rejectionGone += records;
      return;
    }
    findings.add(
        new Discrepancy(Kind.NEITHER, null, null, null, Discrepancy.place(message), what), records);
  }

  private void passOn(ConsumerRecord<?, ?> message, List<FoundRecord> records, Demand demand)
      throws SQLException {
    for (FoundRecord record : records) {
      if (!range.contains(record.timestampMillis())) {
        continue;
      }
      findings.records += demand == Demand.LATER ? 0 : 1;
      boolean mayHaveBeenRejected =
          demand == Demand.REQUIRED
              && mayLackRejections(message)
              && record.timestampMillis() - message.timestamp() > maxAheadMillis;
      out.accept(
          new Sighting(
              record, message.timestamp(), mayHaveBeenRejected ? Demand.REJECTED : demand));
    }
  }

  private boolean mayLackRejections(ConsumerRecord<?, ?> message) {
    return message.timestamp() < rejectionsKnownFromMillis;
  }

  private JobDecoder decoder(ConsumerRecord<?, ?> message) {
    JobDecoder decoder = jobDecoders.get(message.topic());
    if (decoder == null) {
      throw noProfile(message);
    }
    return decoder;
  }

  private static IllegalStateException noProfile(ConsumerRecord<?, ?> message) {
    return new IllegalStateException("No profile for the topic " + message.topic());
  }

  private static boolean isAhead(RecordedRejection rejection) {
    return rejection.reason().equals(AHEAD);
  }

  private static long records(List<RecordedRejection> rejections) {
    return rejections.stream().mapToLong(RecordedRejection::records).sum();
  }
}
