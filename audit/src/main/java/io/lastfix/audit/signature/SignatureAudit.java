package io.lastfix.audit.signature;

import io.lastfix.audit.AuditedTopics;
import io.lastfix.audit.signature.MessageProof.Proof;
import io.lastfix.audit.signature.SignatureReport.Found;
import io.lastfix.audit.signature.SignatureReport.Kind;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.LocationRecord;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.RecordConsumer;
import io.lastfix.parse.RecordDecoder;
import io.lastfix.parse.Rejection;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.profile.Profile;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the location topics and judges the sender of each message. If the sender is proved, it
 * compares the users of the records with it, as the job does with {@code parse.check-users}. It
 * reads from the devices topic for which users a group may speak now, since the header that lists
 * them is not signed. Memory: one message. An instance runs once.
 */
public final class SignatureAudit {
  /** Also a record that the job rejects for its time has a user. */
  private static final TimestampLimits ANY_TIME =
      new TimestampLimits(Duration.ofMillis(Long.MAX_VALUE), Instant.EPOCH);

  private final AuditedTopics topics;
  private final MessageProof proof;
  private final int shown;
  private final StepProgress progress;
  private final Map<String, String> profiles = new HashMap<>();
  private final Map<String, RecordDecoder> decoders = new HashMap<>();
  private final Map<MessageProof.Kind, Long> counts = new EnumMap<>(MessageProof.Kind.class);
  private final Map<String, Long> forgedByReason = new TreeMap<>();
  private final Map<Kind, List<Found>> found = new EnumMap<>(Kind.class);
  private long notItsUser;

  /**
   * An audit of the topics that a job reads.
   *
   * @param shown how many messages of each kind the report names
   */
  public SignatureAudit(
      AuditedTopics topics,
      List<Profile> profiles,
      DecoderLimits limits,
      MessageProof proof,
      int shown,
      StepProgress progress) {
    this.topics = topics;
    this.proof = proof;
    this.shown = shown;
    this.progress = progress;
    for (Profile profile : profiles) {
      String topic = topics.location(profile.name());
      this.profiles.put(topic, profile.name());
      decoders.put(topic, RecordDecoder.of(profile, limits, ANY_TIME, () -> 0));
    }
  }

  /**
   * Reads the topics up to their present ends.
   *
   * @throws IOException if Kafka does not answer
   */
  public SignatureReport run() throws IOException {
    try {
      read();
    } catch (IOException e) {
      throw KafkaFailure.withAddresses(topics.bootstrapServers(), e);
    }
    return report();
  }

  private void read() throws IOException {
    Map<TopicPartition, Range> ranges;
    try (Admin admin = topics.admin().get()) {
      ranges = new ConsumerLag(admin).ranges(topics.locations());
    }
    progress.begin(
        "reading location messages", ranges.values().stream().mapToLong(Range::offsets).sum());
    new TopicReader(topics.clientProperties())
        .read(
            ranges,
            message -> {
              accept(message);
              progress.step();
            });
  }

  /** Judges a message. */
  void accept(ConsumerRecord<byte @Nullable [], byte @Nullable []> message) {
    String profile = profiles.get(message.topic());
    RecordDecoder decoder = decoders.get(message.topic());
    if (profile == null || decoder == null) {
      throw new IllegalStateException("No profile for the topic " + message.topic());
    }
    Proof proved = proof.judge(profile, message);
    counts.merge(proved.kind(), 1L, Long::sum);
    switch (proved.kind()) {
      case FORGED -> {
        forgedByReason.merge(proved.reason(), 1L, Long::sum);
        note(Kind.FORGED, message, proved.reason());
      }
      case UNKNOWN_KEY -> note(Kind.UNKNOWN_KEY, message, proved.reason());
      case PROVED -> {
        if (hasRecordOfOtherUser(decoder, message.value(), proved)) {
          notItsUser++;
          note(Kind.NOT_ITS_USER, message, "");
        }
      }
      case UNPROVED -> note(Kind.UNPROVED, message, "");
      case UNSIGNED -> {
        // There is nothing to compare.
      }
    }
  }

  private static boolean hasRecordOfOtherUser(
      RecordDecoder decoder, byte @Nullable [] value, Proof proved) {
    boolean[] hasOther = new boolean[1];
    decoder.decode(
        value,
        new RecordConsumer() {
          @Override
          public void record(LocationRecord record) {
            String user = record.user();
            hasOther[0] |= !user.equals(proved.sender()) && !proved.speaksFor().matches(user);
          }

          @Override
          public void rejected(Rejection rejection) {
            // The job stores no rejected record, so its user does not matter.
          }
        });
    return hasOther[0];
  }

  private void note(Kind kind, ConsumerRecord<?, ?> message, String reason) {
    List<Found> first = found.computeIfAbsent(kind, absent -> new ArrayList<>());
    if (first.size() < shown) {
      first.add(new Found(kind, message.topic(), message.partition(), message.offset(), reason));
    }
  }

  /** Returns the result so far. */
  SignatureReport report() {
    return new SignatureReport(
        counts.values().stream().mapToLong(Long::longValue).sum(),
        count(MessageProof.Kind.PROVED),
        count(MessageProof.Kind.UNPROVED),
        count(MessageProof.Kind.UNSIGNED),
        count(MessageProof.Kind.FORGED),
        count(MessageProof.Kind.UNKNOWN_KEY),
        notItsUser,
        forgedByReason,
        found.values().stream().flatMap(List::stream).toList());
  }

  private long count(MessageProof.Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }
}
