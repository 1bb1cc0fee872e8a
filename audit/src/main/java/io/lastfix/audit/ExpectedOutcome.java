package io.lastfix.audit;

import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.JobDecoder.Decoded;
import io.lastfix.audit.stored.StoredUsers;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.TreeReader;
import io.lastfix.audit.tree.TreeReader.TreeReading;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each message of the location topics which of its records History must or may hold,
 * and whether unreadable records were rejected.
 *
 * <p>A committed message without rejections is read by a {@link TreeReader}: History must hold each
 * of its records. A message with rejections is read by the {@link JobDecoder}, and so is a message
 * that is not committed yet, for the records that History may hold.
 *
 * <p>One instant, the broker's or the job's, decided for all records of a message which were too
 * far ahead. If a message has n such rejections, they belong to the n records with the greatest
 * times. These must include each record that is too far ahead even now, or too far ahead of the
 * broker's timestamp, if the topic keeps it. In the same way, rejections as older than retention
 * belong to the records with the least times. If a record is that old now, it may have been stored
 * and dropped since, so it is not judged.
 *
 * <p>If a message has a rejection as not its user's, the job compared its users with its sender
 * then, and the headers say which records it had to reject. Without one, it is not judged whether
 * the job should have compared them: {@code lastfix audit --signatures} tells that.
 *
 * <p>The partitions that existed then decided which records of a message had no partition, or one
 * too many. If a message has n such rejections, no single record must be in History, but of its m
 * remaining records m - n must: {@link PartialMessages}.
 */
final class ExpectedOutcome {
  private static final String AHEAD = RejectionReason.TIMESTAMP_AHEAD.code();
  private static final String OLDER = RejectionReason.OLDER_THAN_RETENTION.code();
  private static final String NOT_ITS_USER = RejectionReason.NOT_ITS_USER.code();
  private static final List<String> BY_PARTITIONS =
      List.of(RejectionReason.NO_PARTITION.code(), RejectionReason.TOO_MANY_PARTITIONS.code());

  private final Map<String, Readers> readers = new HashMap<>();
  private final StoredUsers users;
  private final AuditRange range;
  private final long maxAheadMillis;
  private final long latestAcceptedMillis;
  private final long keptFromMillis;
  private final RejectionLog rejections;
  private final long rejectionsKnownFromMillis;
  private final Findings findings;
  private final PartialMessages partial;
  private final SightingConsumer out;
  private final Map<TopicPartition, Long> nextRejected = new HashMap<>();

  /** Both ways to read the messages of a topic. */
  private record Readers(TreeReader tree, JobDecoder job) {}

  /** Receives the records found. */
  interface SightingConsumer {
    void accept(ExpectedRecord sighting) throws SQLException;
  }

  /**
   * A judge for the topics that a job reads.
   *
   * @param users maps users to their stored names. Records of erased users are counted and not
   *     passed on, so the topics do not explain a document that exists all the same.
   * @param range records of other times are skipped, including rejected ones; unreadable records
   *     have no time and always count
   * @param nowMillis the present time; a record too far ahead of it must have been rejected
   * @param keptFromMillis earlier records are not judged: see {@link Coverage}
   * @param rejectionsKnownFromMillis rejections of messages published before may be gone
   */
  ExpectedOutcome(
      AuditedTopics topics,
      List<Profile> profiles,
      JudgingLimits limits,
      StoredUsers users,
      AuditRange range,
      long nowMillis,
      long keptFromMillis,
      RejectionLog rejections,
      long rejectionsKnownFromMillis,
      Findings findings,
      PartialMessages partial,
      SightingConsumer out) {
    for (Profile profile : profiles) {
      readers.put(
          topics.location(profile.name()),
          new Readers(TreeReader.of(profile, limits.decoder()), new JobDecoder(profile, limits)));
    }
    this.users = users;
    this.range = range;
    this.maxAheadMillis = limits.timestamp().maxAhead().toMillis();
    this.latestAcceptedMillis = nowMillis + maxAheadMillis;
    this.keptFromMillis = keptFromMillis;
    this.rejections = rejections;
    this.rejectionsKnownFromMillis = rejectionsKnownFromMillis;
    this.findings = findings;
    this.partial = partial;
    this.out = out;
  }

  /**
   * Judges a message; the messages of a partition must come in order.
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
      addExpected(message, decoded.records(), Demand.NOT_DUE);
      addNotRecords(decoded.notRecords());
      long rejected = records(decoded.rejections());
      findings.records += rejected;
      findings.notDue += rejected;
    }
  }

  /** Passes on the possible records of a message that arrived after the audit had begun. */
  void acceptLater(ConsumerRecord<?, byte @Nullable []> message) throws SQLException {
    addExpected(message, decoder(message).decode(message.value()).records(), Demand.LATER);
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
    TreeReading reading = readers(message).tree().read(message.value());
    if (!reading.problems().isEmpty()) {
      Decoded decoded = decoder(message).decode(message.value());
      if (!decoded.rejections().isEmpty()) {
        acceptUnrejected(message, decoded);
        return;
      }
    }
    addNotRecords(reading.notRecords());
    findings.records += reading.problems().size();
    addExpected(message, reading.records(), Demand.REQUIRED);
    for (String problem : reading.problems()) {
      neither(message, problem, 1);
    }
  }

  /** Judges a message without the rejections that it should have. */
  private void acceptUnrejected(ConsumerRecord<?, byte @Nullable []> message, Decoded decoded)
      throws SQLException {
    addNotRecords(decoded.notRecords());
    findings.records += records(decoded.rejections());
    addExpected(message, decoded.records(), Demand.REQUIRED);
    for (RecordedRejection rejection : decoded.rejections()) {
      neither(message, rejection.reason() + ": " + rejection.detail(), rejection.records());
    }
  }

  private void acceptRejected(ConsumerRecord<?, byte @Nullable []> message, boolean isDue)
      throws SQLException {
    List<RecordedRejection> recorded =
        rejections.of(message.topic(), message.partition(), message.offset());
    // Whether the job compared users then is known only from what it rejected.
    boolean areUsersChecked =
        recorded.stream().anyMatch(rejection -> rejection.reason().equals(NOT_ITS_USER));
    Decoded decoded =
        areUsersChecked
            ? decoder(message).decodeWithCheckedUsers(message)
            : decoder(message).decode(message.value());
    addNotRecords(decoded.notRecords());
    findings.records += records(decoded.rejections());

    Map<String, Long> then = recordsByReason(recorded);
    long ahead = Objects.requireNonNullElse(then.remove(AHEAD), 0L);
    long older = Objects.requireNonNullElse(then.remove(OLDER), 0L);
    long withoutPartition = 0;
    for (String reason : BY_PARTITIONS) {
      withoutPartition += Objects.requireNonNullElse(then.remove(reason), 0L);
    }
    Map<String, Long> now = recordsByReason(decoded.rejections());
    boolean sameRules =
        then.entrySet().stream()
            .allMatch(reason -> reason.getValue() <= now.getOrDefault(reason.getKey(), 0L));
    if (!sameRules) {
      // Other rules applied then, because a profile was corrected since: the accepted records are
      // unknown.
      findings.rejectedForGood += records(decoded.rejections());
      addExpected(message, decoded.records(), Demand.REJECTED);
      return;
    }
    now.forEach(
        (reason, records) -> {
          long rejected = then.getOrDefault(reason, 0L);
          findings.rejectedForGood += rejected;
          if (!isDue) {
            findings.notDue += records - rejected;
          } else if (records > rejected) {
            neither(
                message,
                reason + ": " + rejected + " of " + records + " records were rejected",
                records - rejected);
          }
        });
    List<FoundRecord> newestFirst =
        decoded.records().stream()
            .sorted(Comparator.comparingLong(FoundRecord::timestampMillis).reversed())
            .toList();
    int tooFarAhead = (int) Math.min(ahead, newestFirst.size());
    int tooOld = (int) Math.max(tooFarAhead, newestFirst.size() - older);
    addExpected(message, newestFirst.subList(0, tooFarAhead), Demand.REJECTED);
    Demand others = isDue ? Demand.REQUIRED : Demand.NOT_DUE;
    List<FoundRecord> between = newestFirst.subList(tooFarAhead, tooOld);
    addExpected(message, between, withoutPartition > 0 ? Demand.REJECTED : others);
    if (withoutPartition > 0 && isDue && !mayLackRejections(message)) {
      expectAllBut(withoutPartition, message, between);
    }
    addExpected(message, newestFirst.subList(tooOld, newestFirst.size()), Demand.REJECTED);
  }

  private void addNotRecords(long notRecords) {
    findings.records += notRecords;
    findings.notRecords += notRecords;
  }

  /** At most that number of these records were rejected; History must hold all others. */
  private void expectAllBut(long rejected, ConsumerRecord<?, ?> message, List<FoundRecord> records)
      throws SQLException {
    List<FoundRecord> judged =
        records.stream()
            .filter(found -> range.contains(found.timestampMillis()))
            .filter(found -> found.timestampMillis() >= keptFromMillis)
            .map(users::asStored)
            .filter(record -> !users.isErased(record))
            .toList();
    if (judged.size() > rejected) {
      partial.add(Discrepancy.place(message), judged.size() - rejected, judged);
    }
  }

  private void neither(ConsumerRecord<?, ?> message, String what, long records) {
    if (mayLackRejections(message)) {
      findings.rejectionGone += records;
      return;
    }
    findings.add(Discrepancy.at(Kind.NEITHER, Discrepancy.place(message), what), records);
  }

  private void addExpected(ConsumerRecord<?, ?> message, List<FoundRecord> records, Demand demand)
      throws SQLException {
    for (FoundRecord found : records) {
      if (!range.contains(found.timestampMillis())) {
        continue;
      }
      int counted = demand == Demand.LATER ? 0 : 1;
      findings.records += counted;
      FoundRecord record = users.asStored(found);
      if (users.isErased(record)) {
        findings.erased += counted;
        continue;
      }
      Demand checked = checked(demand, record, message);
      findings.expired += checked == Demand.EXPIRED ? 1 : 0;
      out.accept(new ExpectedRecord(record, message.timestamp(), checked));
    }
  }

  /** Checks a demand against the clock, and reports a record that the job should have rejected. */
  private Demand checked(Demand demand, FoundRecord record, ConsumerRecord<?, ?> message) {
    if ((demand == Demand.REQUIRED || demand == Demand.NOT_DUE)
        && record.timestampMillis() < keptFromMillis) {
      return Demand.EXPIRED;
    }
    if (demand != Demand.REQUIRED) {
      return demand;
    }
    if (mayLackRejections(message)
        && record.timestampMillis() - message.timestamp() > maxAheadMillis) {
      return Demand.REJECTED;
    }
    if (record.timestampMillis() > latestAcceptedMillis(message)) {
      findings.add(Discrepancy.of(Kind.AHEAD, record, Discrepancy.place(message), ""));
    }
    return demand;
  }

  /**
   * The job's rule, for a topic that keeps the broker's timestamps; otherwise relative to the
   * present time.
   */
  private long latestAcceptedMillis(ConsumerRecord<?, ?> message) {
    return message.timestampType() == TimestampType.LOG_APPEND_TIME
        ? Math.min(latestAcceptedMillis, message.timestamp() + maxAheadMillis)
        : latestAcceptedMillis;
  }

  private boolean mayLackRejections(ConsumerRecord<?, ?> message) {
    return message.timestamp() < rejectionsKnownFromMillis;
  }

  private JobDecoder decoder(ConsumerRecord<?, ?> message) {
    return readers(message).job();
  }

  private Readers readers(ConsumerRecord<?, ?> message) {
    Readers ofTopic = readers.get(message.topic());
    if (ofTopic == null) {
      throw new IllegalStateException("No profile for the topic " + message.topic());
    }
    return ofTopic;
  }

  /**
   * The numbering and grouping of a message's rejections depend on the limits; this count does not.
   */
  private static Map<String, Long> recordsByReason(List<RecordedRejection> rejections) {
    Map<String, Long> records = new TreeMap<>();
    for (RecordedRejection rejection : rejections) {
      records.merge(rejection.reason(), (long) rejection.records(), Long::sum);
    }
    return records;
  }

  private static long records(List<RecordedRejection> rejections) {
    return rejections.stream().mapToLong(RecordedRejection::records).sum();
  }
}
