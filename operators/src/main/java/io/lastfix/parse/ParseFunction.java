package io.lastfix.parse;

import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.Pseudonyms;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Messages in, records out; what cannot be used goes to the side output {@link #REJECTED}, with the
 * message's untouched bytes. So does a record whose period History has no partition for, and may
 * not get one: see {@link PartitionAdmission}. Keeps no state. A message's topic decides by which
 * profile it is read. One whose value was left out on the way here is too large for any.
 *
 * <p>Records keep the Flink timestamp of their message. What is too far ahead is judged against
 * {@link RawMessage#arrivalMillis}, all other {@link TimestampLimits} against processing time.
 *
 * <p>In topics with a {@link UserRule}, a record's user has to be the message's sender or one that
 * the sender's group may speak for: see {@link SenderCheck}.
 *
 * <p>With a {@link PseudonymKey} a record's user is replaced by a pseudonym as the last step here:
 * nothing behind this function has the user's own id. A rejected message has it, untouched as all
 * of the message is.
 *
 * <p>Metrics, in the operator's group, counted since the task started:
 *
 * <ul>
 *   <li>{@code messages}: messages read
 *   <li>{@code bytes}: bytes of their values, as they came in
 *   <li>{@code records}: records forwarded
 *   <li>{@code positionIgnored}: of these, records whose own position was unusable: forwarded at
 *       their cell
 *   <li>{@code cellIgnored}: of these, records whose cell was unreadable: forwarded at their own
 *       position alone
 *   <li>{@code notRecords}: what the profile knows to be no record, such as a device's goodbye: it
 *       is neither forwarded nor rejected
 *   <li>{@code recordsRejected}: records rejected, a message that cannot be read counting as one
 *   <li>{@code rejected.<code>}: the same by reason, see {@link RejectionReason#code()}
 * </ul>
 *
 * <p>Sums that hold: {@code recordsRejected} = the sum of all {@code rejected.<code>}; records that
 * were found = {@code records} + {@code recordsRejected} + {@code notRecords}, where what is left
 * of a message that cannot be read on counts as one; and each message adds at least one to one of
 * the three.
 */
public final class ParseFunction extends ProcessFunction<RawMessage, LocationRecord> {
  /** Messages and records that cannot be used. */
  public static final OutputTag<RejectedMessage> REJECTED =
      new OutputTag<>("rejected", TypeInformation.of(RejectedMessage.class));

  /** The stage that a {@link RejectedMessage} of this function names. */
  public static final String STAGE = "parse";

  private final HashMap<String, Profile> profilesByTopic;
  private final DecoderLimits limits;
  private final TimestampLimits timestampLimits;
  private final HashMap<String, UserRule> userRulesByTopic;
  private final @Nullable PseudonymKey pseudonymKey;
  private final PartitionAdmission.@Nullable Factory admissionFactory;

  private transient @Nullable Pseudonyms pseudonyms;
  private transient @Nullable PartitionAdmission admission;
  private transient Map<String, TopicDecoder> decodersByTopic;
  private transient ParseMetrics metrics;
  private transient MessageClock clock;

  /**
   * Creates a function for messages of those topics.
   *
   * @param profilesByTopic the profile of each topic that messages come from
   * @param userRulesByTopic whose records a topic's messages may have; a topic that is absent:
   *     anyone's
   * @param pseudonymKey key of the users' pseudonyms; null: users stay unchanged
   * @param admissionFactory creates the admission to partitions of History; null: all records are
   *     admitted
   */
  public ParseFunction(
      Map<String, Profile> profilesByTopic,
      DecoderLimits limits,
      TimestampLimits timestampLimits,
      Map<String, UserRule> userRulesByTopic,
      @Nullable PseudonymKey pseudonymKey,
      PartitionAdmission.@Nullable Factory admissionFactory) {
    this.profilesByTopic = new HashMap<>(profilesByTopic);
    this.limits = limits;
    this.timestampLimits = timestampLimits;
    this.userRulesByTopic = new HashMap<>(userRulesByTopic);
    this.userRulesByTopic.values().removeIf(rule -> rule == UserRule.OFF);
    this.pseudonymKey = pseudonymKey;
    this.admissionFactory = admissionFactory;
  }

  @Override
  public void open(OpenContext openContext) {
    metrics = new ParseMetrics(getRuntimeContext().getMetricGroup());
    pseudonyms = pseudonymKey == null ? null : new Pseudonyms(pseudonymKey);
    clock = new MessageClock();
    PartitionAdmission opened =
        admissionFactory == null
            ? PartitionAdmission.OF_ALL
            : admissionFactory.open(getRuntimeContext());
    admission = opened;
    decodersByTopic = new HashMap<>();
    profilesByTopic.forEach(
        (topic, profile) -> decodersByTopic.put(topic, decoder(topic, profile, opened)));
  }

  /** What was found since the start. */
  LedgerEntry counted() {
    return metrics.counted();
  }

  private TopicDecoder decoder(String topic, Profile profile, PartitionAdmission opened) {
    UserRule rule = userRulesByTopic.get(topic);
    SenderCheck senders = rule == null ? null : new SenderCheck(rule);
    return new TopicDecoder(
        RecordDecoder.of(profile, limits, timestampLimits, opened, clock, senders), senders);
  }

  @Override
  public void close() {
    if (admission != null) {
      admission.close();
    }
  }

  /**
   * Decodes one message.
   *
   * @throws IllegalStateException if its topic has no profile, or if parsing failed for a reason
   *     other than the message; names the message
   */
  @Override
  public void processElement(RawMessage message, Context context, Collector<LocationRecord> out) {
    TopicDecoder decoder = decodersByTopic.get(message.topic());
    if (decoder == null) {
      throw new IllegalStateException(
          "No profile for " + message + "; expected one of the topics " + decodersByTopic.keySet());
    }
    metrics.message(message);
    clock.nowMillis = context.timerService().currentProcessingTime();
    clock.arrivalMillis = message.arrivalMillis(clock.nowMillis);
    Outputs outputs = new Outputs(message, context, out);
    try {
      if (message.isValueLeftOut()) {
        outputs.rejected(
            new Rejection(
                RejectionReason.MESSAGE_TOO_LARGE, limits.tooLarge(message.valueLength())));
      } else {
        decoder.decode(message, outputs);
      }
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "Failed while parsing or forwarding the message of " + message, e);
    }
  }

  /**
   * The decoder of a topic.
   *
   * @param senders the check of its users, which the decoder uses; null: there is none
   */
  private record TopicDecoder(RecordDecoder decoder, @Nullable SenderCheck senders) {
    void decode(RawMessage message, RecordConsumer out) {
      if (senders != null) {
        senders.sender(message.headers());
      }
      decoder.decode(message.value(), out);
    }
  }

  /** The times of the current message. */
  private static final class MessageClock implements RecordClock {
    private long nowMillis;
    private long arrivalMillis;

    @Override
    public long nowMillis() {
      return nowMillis;
    }

    @Override
    public long arrivalMillis() {
      return arrivalMillis;
    }
  }

  /** Forwards the records of one message, and its rejections. */
  private final class Outputs implements RecordConsumer {
    private final RawMessage message;
    private final Context context;
    private final Collector<LocationRecord> records;

    Outputs(RawMessage message, Context context, Collector<LocationRecord> records) {
      this.message = message;
      this.context = context;
      this.records = records;
    }

    @Override
    public void record(LocationRecord record) {
      metrics.records.inc();
      records.collect(pseudonyms == null ? record : record.withUser(pseudonyms.of(record.user())));
    }

    @Override
    public void positionIgnored() {
      metrics.positionIgnored.inc();
    }

    @Override
    public void cellIgnored() {
      metrics.cellIgnored.inc();
    }

    @Override
    public void notRecord() {
      metrics.notRecords.inc();
    }

    @Override
    public void rejected(Rejection rejection) {
      metrics.rejected(rejection);
      // A replayed message keeps its time of arrival, however often it is rejected.
      RawMessage judged = message.judgedBy(clock.arrivalMillis);
      context.output(REJECTED, new RejectedMessage(judged, rejection, STAGE));
    }
  }
}
