package io.lastfix.audit;

import static io.lastfix.audit.Messages.HEARD;
import static io.lastfix.audit.Messages.json;
import static io.lastfix.audit.Messages.message;
import static io.lastfix.audit.Messages.recordOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.stored.StoredUsers;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.parse.RecordConsumer;
import io.lastfix.parse.RecordDecoder;
import io.lastfix.parse.Rejection;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.history.TestHistory;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demands on History for each kind of message. */
class ExpectedOutcomeTest {
  private static final String GOOD = json("good", HEARD);
  private static final String BAD = "{\"user\":\"bad\",\"cell\":\"1-2-3-x\",\"ts\":1795176001001}";
  private static final String MIXED = "[" + GOOD + "," + BAD + "]";
  private static final Instant AHEAD = HEARD.plus(Duration.ofDays(1));
  private static final Instant OLD = HEARD.minus(Duration.ofDays(1));
  private static final FoundRecord GOOD_RECORD = recordOf("good", HEARD);
  private static final long OFFSET = 42;

  private final Findings findings = new Findings(10);
  private final List<ExpectedRecord> found = new ArrayList<>();
  private final HistoryLayout layout = new HistoryLayout(TestHistory.MONTHS);
  private List<Profile> profiles = Messages.PROFILES;
  private ScratchDatabase scratch;
  private RejectionLog rejections;
  private PartialMessages partial;
  private StoredUsers users = new StoredUsers(user -> user, ErasedUsers.NONE);
  private AuditRange range = new AuditRange(null, null);
  private JudgingLimits limits = Messages.LIMITS;
  private Instant now = AHEAD;
  private long rejectionsKnownFromMillis = Long.MIN_VALUE;
  private long keptFromMillis = Long.MIN_VALUE;

  @BeforeEach
  void open() throws Exception {
    scratch = new ScratchDatabase();
    rejections = new RejectionLog(scratch);
    partial = new PartialMessages(scratch, layout);
  }

  @AfterEach
  void close() throws Exception {
    scratch.close();
  }

  @Test
  void aCommittedMessageWithoutRejectionsMustBeStored() throws Exception {
    judge(GOOD, true);

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.REQUIRED));
    assertThat(findings.records).isEqualTo(1);
  }

  @Test
  void aMessageThatIsNotCommittedMayBeStored() throws Exception {
    judge(MIXED, false);

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.NOT_DUE));
    assertThat(findings.records).isEqualTo(2);
    assertThat(findings.notDue).isEqualTo(1);
    assertThat(findings.count(Kind.NEITHER)).isZero();
  }

  @Test
  void aRecordThatCannotBeReadAndWasNotRejectedIsNeither() throws Exception {
    judge(MIXED, true);

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.REQUIRED));
    assertThat(findings.count(Kind.NEITHER)).isEqualTo(1);
    assertThat(findings.shown().get(0).toLine())
        .isEqualTo(
            "lastfix.location.json, partition 0, offset 42  bad-value: record 2: cell: expected"
                + " mcc-mnc-area-cid or mcc-mnc--cid, each part in its range");
  }

  @Test
  void aMessageThatCannotBeReadAtAllAndWasNotRejectedIsNeither() throws Exception {
    judge("{\"user\":", true);

    assertThat(demands()).isEmpty();
    assertThat(findings.count(Kind.NEITHER)).isEqualTo(1);
    assertThat(findings.shown().get(0).toLine())
        .startsWith("lastfix.location.json, partition 0, offset 42  malformed");
  }

  @Test
  void whereRejectionsMayBeGoneItIsNotJudged() throws Exception {
    rejectionsKnownFromMillis = HEARD.toEpochMilli() + 1;

    judge(MIXED, true);

    assertThat(findings.count(Kind.NEITHER)).isZero();
    assertThat(findings.rejectionGone).isEqualTo(1);
  }

  @Test
  void aRejectedRecordIsAccountedForAndTheGoodOnesMustBeStored() throws Exception {
    reject(MIXED);
    // A duplicate, as after a crash.
    reject(MIXED);

    judge(MIXED, true);

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.REQUIRED));
    assertThat(findings.rejectedForGood).isEqualTo(1);
    assertThat(findings.records).isEqualTo(2);
    assertThat(findings.count(Kind.NEITHER)).isZero();
  }

  @Test
  void ofSeveralBadRecordsOneThatWasNotRejectedIsNeither() throws Exception {
    reject(MIXED);

    judge(MIXED.replace("]", "," + BAD + "]"), true);

    assertThat(findings.rejectedForGood).isEqualTo(1);
    assertThat(findings.count(Kind.NEITHER)).isEqualTo(1);
  }

  @Test
  void aMessageThatWasRejectedByOtherRulesMayBeStored() throws Exception {
    reject("missing-field", "record 1: id/device: missing");

    judge(GOOD, true);

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.REJECTED));
    assertThat(findings.count(Kind.NEITHER)).isZero();
  }

  @Test
  void asManyRecordsAsWereTooFarAheadMayBeStoredTheNewestOfThem() throws Exception {
    reject("timestamp-ahead", "record 2: ts: further ahead of the clock than allowed");

    judge("[%s,%s]".formatted(GOOD, json("ahead", AHEAD)), true);

    assertThat(demands())
        .containsOnly(
            Map.entry(GOOD_RECORD, Demand.REQUIRED),
            Map.entry(recordOf("ahead", AHEAD), Demand.REJECTED));
  }

  @Test
  void asManyRecordsAsWereOlderThanRetentionMayBeStoredTheOldestOfThem() throws Exception {
    reject("older-than-retention", "record 2: ts: in a partition of History that has expired");
    reject("timestamp-ahead", "record 3: ts: further ahead of the clock than allowed");

    judge("[%s,%s,%s]".formatted(GOOD, json("old", OLD), json("ahead", AHEAD)), true);

    assertThat(demands())
        .containsOnly(
            Map.entry(GOOD_RECORD, Demand.REQUIRED),
            Map.entry(recordOf("old", OLD), Demand.REJECTED),
            Map.entry(recordOf("ahead", AHEAD), Demand.REJECTED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-partition", "too-many-partitions"})
  void ofAMessageWithRecordsThatHadNoPartitionEachMayBeStored(String reason) throws Exception {
    reject(reason, "record 2: ts: History has no partition for it");
    reject("bad-value", "record 3: ts: expected a time in the profile's format");

    judge("[%s,%s,%s]".formatted(GOOD, json("old", OLD), BAD), true);

    assertThat(demands())
        .containsOnly(
            Map.entry(GOOD_RECORD, Demand.REJECTED),
            Map.entry(recordOf("old", OLD), Demand.REJECTED));
    assertThat(findings.rejectedForGood).isEqualTo(1);
    assertThat(findings.count(Kind.NEITHER)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-partition", "too-many-partitions"})
  void ofAMessageWithOneRejectionByPartitionsAllOtherRecordsMustBeStored(String reason)
      throws Exception {
    FoundRecord old = recordOf("old", OLD);
    reject(reason, "record 2: ts: History has no partition for it");
    judge("[%s,%s,%s]".formatted(GOOD, json("old", OLD), json("other", HEARD)), true);
    partial.stored(layout.period(old.timestampMillis()), layout.id(old));
    findings.rejectedReadableNow = 2;

    partial.report(findings);

    assertThat(findings.count(Kind.MISSING)).isEqualTo(1);
    assertThat(findings.rejectedReadableNow).isEqualTo(1);
    assertThat(findings.shown().get(0).toLine())
        .isEqualTo(
            "lastfix.location.json, partition 0, offset 42  1 of its 3 records are in History, at"
                + " least 2 must be: the others were not rejected");
  }

  @Test
  void asManyRecordsAsHadNoPartitionMayBeAbsent() throws Exception {
    reject("no-partition", "record 1: ts: History has no partition for it");
    reject("no-partition", "record 2: ts: History has no partition for it");
    judge("[%s,%s]".formatted(GOOD, json("old", OLD)), true);

    partial.report(findings);

    assertThat(findings.count(Kind.MISSING)).isZero();
  }

  @Test
  void whatIsExpiredNowIsNotJudgedUnlessItWasRejected() throws Exception {
    keptFromMillis = HEARD.toEpochMilli();

    judge("[%s,%s]".formatted(GOOD, json("old", OLD)), true);
    assertThat(demands())
        .containsOnly(
            Map.entry(GOOD_RECORD, Demand.REQUIRED),
            Map.entry(recordOf("old", OLD), Demand.EXPIRED));
    assertThat(findings.records).isEqualTo(2);
    assertThat(findings.expired).isEqualTo(1);

    found.clear();
    reject("older-than-retention", "record 2: ts: in a partition of History that has expired");
    judge("[%s,%s]".formatted(GOOD, json("old", OLD)), true);
    assertThat(demands()).containsEntry(recordOf("old", OLD), Demand.REJECTED);
    assertThat(findings.expired).isEqualTo(1);
  }

  private void judgeSent(String text, String... headers) throws Exception {
    ConsumerRecord<byte[], byte[]> message = message(OFFSET, text);
    for (int i = 0; i < headers.length; i += 2) {
      message.headers().add(headers[i], headers[i + 1].getBytes(UTF_8));
    }
    scratch.flush();
    judge().accept(message, true);
  }

  @Test
  void ofAMessageWithOneRejectionAsNotItsUsersTheOthersMustBeStored() throws Exception {
    reject("not-its-user", "record 2, user: expected the device that sent the message");

    judgeSent(
        "[%s,%s,%s]".formatted(GOOD, json("other", HEARD), json("350", HEARD)),
        "auth",
        "signed",
        "device",
        "good",
        "speaks-for",
        "35*");

    assertThat(demands())
        .containsOnly(
            Map.entry(GOOD_RECORD, Demand.REQUIRED),
            Map.entry(recordOf("350", HEARD), Demand.REQUIRED));
    assertThat(findings.rejectedForGood).isEqualTo(1);
    assertThat(findings.records).isEqualTo(3);
    assertThat(findings.count(Kind.NEITHER)).isZero();
  }

  @Test
  void twoRecordsOfOthersWithOneRejectionAreADiscrepancy() throws Exception {
    reject("not-its-user", "record 2, user: expected the device that sent the message");

    judgeSent(
        "[%s,%s,%s]".formatted(GOOD, json("other", HEARD), json("350", HEARD)),
        "auth",
        "signed",
        "device",
        "good");

    assertThat(findings.count(Kind.NEITHER)).isEqualTo(1);
    assertThat(findings.rejectedForGood).isEqualTo(1);
  }

  @Test
  void aMessageWithoutAProvedSenderThatWasRejectedSoMustNotBeStored() throws Exception {
    reject("not-its-user", "record 1, user: expected a message whose sender a gateway has proved");

    judgeSent(GOOD, "auth", "unsigned", "device", "good");

    assertThat(demands()).isEmpty();
    assertThat(findings.rejectedForGood).isEqualTo(1);
  }

  @Test
  void withoutSuchARejectionTheJobDidNotCompareUsers() throws Exception {
    reject("bad-value", "record 2, cell: expected mcc-mnc-area-cid");

    judgeSent(MIXED, "auth", "signed", "device", "other");

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.REQUIRED));
    assertThat(findings.count(Kind.NEITHER)).isZero();
  }

  @Test
  void aRecordTooFarAheadThatWasNotRejectedMustBeStored() throws Exception {
    judge(json("ahead", AHEAD), true);

    assertThat(demands()).containsExactly(Map.entry(recordOf("ahead", AHEAD), Demand.REQUIRED));
  }

  @Test
  void aRecordTooFarAheadOfTheBrokersTimeMustHaveBeenRejectedHoweverLateItIsJudged()
      throws Exception {
    scratch.flush();
    judge().accept(message(OFFSET, json("ahead", AHEAD), TimestampType.LOG_APPEND_TIME), true);

    assertThat(findings.count(Kind.AHEAD)).isEqualTo(1);
  }

  @Test
  void aRecordThatIsTooFarAheadEvenNowMustHaveBeenRejected() throws Exception {
    now = HEARD;

    judge("[%s,%s]".formatted(GOOD, json("ahead", AHEAD)), true);

    assertThat(findings.count(Kind.AHEAD)).isEqualTo(1);
    assertThat(findings.shown().get(0).toLine())
        .isEqualTo(
            "lastfix.location.json, partition 0, offset 42  user ahead  2026-11-21T12:00:01.001Z"
                + "  cell 234-10-4021-20911362");
    assertThat(demands()).containsEntry(recordOf("ahead", AHEAD), Demand.REQUIRED);
  }

  @Test
  void aRecordTooFarAheadThatWasRejectedOrIsNotDueIsInOrder() throws Exception {
    now = HEARD;
    reject("timestamp-ahead", "record 2: ts: further ahead of the clock than allowed");

    judge("[%s,%s]".formatted(GOOD, json("ahead", AHEAD)), true);
    judge().accept(message(OFFSET + 1, json("not due", AHEAD)), false);

    assertThat(findings.count(Kind.AHEAD)).isZero();
  }

  @Test
  void rejectionsAreTheSameHoweverRecordsTooFarAheadChangeTheirGrouping() throws Exception {
    now = HEARD;
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      boolean isAhead = i < 4;
      boolean isBad = !isAhead && i % 20 == 5;
      records.add(isBad ? BAD : json("user" + i, isAhead ? AHEAD : HEARD));
    }
    String text = "[" + String.join(",", records) + "]";
    List<RecordedRejection> then = rejectAt(HEARD, text);
    assertThat(then).as("some one by one, others together").hasSizeBetween(6, 149);

    judge(text, true);

    assertThat(findings.rejectedForGood).isEqualTo(150);
    assertThat(findings.count(Kind.NEITHER)).isZero();
    assertThat(found.stream().filter(sighting -> sighting.demand() == Demand.REJECTED)).hasSize(4);
    assertThat(found.stream().filter(sighting -> sighting.demand() == Demand.REQUIRED))
        .hasSize(3_000 - 150 - 4);
  }

  @Test
  void recordsOfOtherTimesArePassedOver() throws Exception {
    range = new AuditRange(HEARD, HEARD.plusMillis(1));

    judge("[%s,%s]".formatted(GOOD, json("later", HEARD.plusMillis(1))), true);

    assertThat(demands()).containsOnlyKeys(GOOD_RECORD);
    assertThat(findings.records).isEqualTo(1);
  }

  @Test
  void aRejectedRecordThatCanBeReadCountsAtItsTimeAndWhatCannotBeReadInEveryRange()
      throws Exception {
    range = new AuditRange(HEARD, HEARD.plusMillis(1));
    reject("bad-value", "record 2: cell: expected mcc-mnc-area-cid");
    reject("timestamp-ahead", "record 3: ts: further ahead of the clock than allowed");

    judge("[%s,%s,%s]".formatted(GOOD, BAD, json("ahead", AHEAD)), true);

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.REQUIRED));
    assertThat(findings.rejectedForGood).isEqualTo(1);
    assertThat(findings.records).isEqualTo(2);
  }

  @Test
  void aRecordThatWasRejectedByOtherRulesCountsAtItsTime() throws Exception {
    range = new AuditRange(AHEAD, null);
    reject("missing-field", "record 1: id/device: missing");

    judge(GOOD, true);

    assertThat(found).isEmpty();
    assertThat(findings.records).isZero();
  }

  @Test
  void theRejectionsOfOtherMessagesDoNotMatter() throws Exception {
    rejections.add(headers(OFFSET + 1, "bad-value", "record 1: x", 1));
    rejections.add(headers(OFFSET - 1, "bad-value", "record 1: x", 1));

    judge(GOOD, true);

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.REQUIRED));
  }

  @Test
  void whatCameAfterTheBeginningMayBeStoredAndCountsNowhere() throws Exception {
    judge().acceptLater(message(OFFSET, MIXED));

    assertThat(demands()).containsExactly(Map.entry(GOOD_RECORD, Demand.LATER));
    assertThat(findings.records).isZero();
    assertThat(findings.messages).isZero();
  }

  @Test
  void whatAForgottenUserSentUntilThenIsCountedAndAskedForByNobody() throws Exception {
    users =
        new StoredUsers(
            user -> user, new ErasedUsers(1, Map.of(UserHash.of("good"), HEARD.toEpochMilli())));
    String later = json("good", HEARD.plusMillis(1));

    judge("[%s,%s,%s]".formatted(GOOD, later, json("other", HEARD)), true);

    assertThat(demands().keySet())
        .containsExactlyInAnyOrder(recordOf("good", HEARD.plusMillis(1)), recordOf("other", HEARD));
    assertThat(findings.erased).isEqualTo(1);
    assertThat(findings.records).isEqualTo(3);
  }

  @Test
  void aUserIsLookedForUnderTheNameThatTheJobStores() throws Exception {
    users =
        new StoredUsers(
            user -> "pseudonym of " + user,
            new ErasedUsers(1, Map.of(UserHash.of("pseudonym of bad"), AHEAD.toEpochMilli())));

    judge("[%s,%s]".formatted(GOOD, json("bad", HEARD)), true);

    assertThat(demands())
        .containsExactly(Map.entry(recordOf("pseudonym of good", HEARD), Demand.REQUIRED));
    assertThat(findings.erased).isEqualTo(1);
  }

  @Test
  void whatIsNoRecordIsCountedWhateverBecameOfTheRestOfItsMessage() throws Exception {
    String yaml =
        """
        format: json
        only: {path: kind, values: [seen]}
        user: user
        cell: {text: cell}
        timestamp: {path: ts, format: auto}
        """;
    profiles =
        List.of(
            ProfileLoader.read(
                "json", "json.yaml", new ByteArrayInputStream(yaml.getBytes(UTF_8))));
    String good = GOOD.replace("{", "{\"kind\":\"seen\",");
    String bad = BAD.replace("{", "{\"kind\":\"seen\",");
    String none = "{\"kind\":\"bye\"}";

    judge("[%s,%s]".formatted(none, good), true);
    judge("[%s,%s]".formatted(none, good), false);
    judge("[%s,%s,%s]".formatted(none, bad, good), true);
    reject("bad-value", "record 2: cell");
    judge("[%s,%s,%s]".formatted(none, bad, good), true);

    assertThat(findings.notRecords).isEqualTo(4);
    assertThat(findings.records).isEqualTo(10);
    assertThat(findings.count(Kind.NEITHER)).isEqualTo(1);
    assertThat(findings.rejectedForGood).isEqualTo(1);
  }

  private void judge(String text, boolean isDue) throws Exception {
    scratch.flush();
    judge().accept(message(OFFSET, text), isDue);
  }

  private ExpectedOutcome judge() {
    return new ExpectedOutcome(
        Messages.TOPICS,
        profiles,
        limits,
        users,
        range,
        now.toEpochMilli(),
        keptFromMillis,
        rejections,
        rejectionsKnownFromMillis,
        findings,
        partial,
        found::add);
  }

  private Map<FoundRecord, Demand> demands() {
    return found.stream().collect(Collectors.toMap(ExpectedRecord::record, ExpectedRecord::demand));
  }

  /** Rejects as the job does. */
  private void reject(String text) throws Exception {
    for (RecordedRejection rejection :
        new JobDecoder(Messages.profile("json"), Messages.LIMITS)
            .decode(text.getBytes(UTF_8))
            .rejections()) {
      reject(rejection.reason(), rejection.detail());
    }
  }

  /** Rejects as the job does at that time. */
  private List<RecordedRejection> rejectAt(Instant clock, String text) throws Exception {
    List<RecordedRejection> rejected = new ArrayList<>();
    RecordDecoder.of(
            Messages.profile("json"),
            Messages.LIMITS.decoder(),
            Messages.LIMITS.timestamp(),
            clock::toEpochMilli)
        .decode(
            text.getBytes(UTF_8),
            new RecordConsumer() {
              @Override
              public void record(LocationRecord record) {
                // Only the other demands matter here.
              }

              @Override
              public void rejected(Rejection rejection) {
                rejected.add(
                    new RecordedRejection(
                        rejection.reason().code(), rejection.detail(), rejection.records()));
              }
            });
    for (RecordedRejection rejection : rejected) {
      rejections.add(headers(OFFSET, rejection.reason(), rejection.detail(), rejection.records()));
    }
    return rejected;
  }

  private void reject(String reason, String detail) throws Exception {
    rejections.add(headers(OFFSET, reason, detail, 1));
  }

  private static RejectedHeaders headers(long offset, String reason, String detail, int records) {
    return new RejectedHeaders(
        "lastfix.location.json", 0, offset, reason, detail, records, false, 0);
  }
}
