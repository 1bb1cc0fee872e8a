package io.lastfix.privacy;

import static io.lastfix.store.history.TestRecords.RECORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import io.lastfix.kit.digest.Sha256;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.history.TestRecords;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.Trip;
import io.lastfix.store.timeline.TripChange;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.streaming.runtime.operators.sink.SinkWriterOperatorFactory;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** The sink in Flink's own operator, with a list and a store in memory. */
@SuppressWarnings("try") // Flink declares that a harness may throw anything when it is closed.
class ErasureFilterSinkTest {
  private static final LocatedRecord SOMEBODY_ELSES =
      new LocatedRecord("another", RECORD.cell(), RECORD.timestampMillis(), RECORD.position());

  private final ErasureListInMemory list = new ErasureListInMemory();
  private final StoredInMemory stored = new StoredInMemory();

  private OneInputStreamOperatorTestHarness<LocatedRecord, ?> open() throws Exception {
    return open(TestErasure.OPTIONS);
  }

  private OneInputStreamOperatorTestHarness<LocatedRecord, ?> open(ErasureListOptions options)
      throws Exception {
    OneInputStreamOperatorTestHarness<LocatedRecord, ?> harness =
        new OneInputStreamOperatorTestHarness<>(
            new SinkWriterOperatorFactory<>(
                new ErasureFilterSink<>(
                    stored, ErasureFilterSink.RECORD, options, unused -> list)));
    harness.open();
    return harness;
  }

  @Test
  void ofAForgottenUserWhatIsLaterIsStoredAndNothingElse() throws Exception {
    list.forget(RECORD.user(), RECORD.timestampMillis());
    LocatedRecord later = TestRecords.at(RECORD.timestampMillis() + 1);
    try (OneInputStreamOperatorTestHarness<LocatedRecord, ?> harness = open()) {
      harness.processElement(TestRecords.at(RECORD.timestampMillis() - 1), 1);
      harness.processElement(RECORD, 2);
      harness.processElement(later, 3);
      harness.processElement(SOMEBODY_ELSES, 4);
    }

    assertThat(stored.records()).containsExactly(later, SOMEBODY_ELSES);
  }

  /** One that began before the erasure, and one that was seen before it. */
  @Test
  void ofAPresenceTheEarliestTimeCounts() {
    Presence online =
        new Presence("a", Presence.State.ONLINE, 1_000, 2_000, DeviceDescription.NONE);
    Presence offline =
        new Presence("a", Presence.State.OFFLINE, 3_000, 2_000, DeviceDescription.NONE);

    assertThatTimestampIs(1_000, ErasureFilterSink.PRESENCE, online);
    assertThatTimestampIs(2_000, ErasureFilterSink.PRESENCE, offline);
  }

  /** A value of the user "a" is erased with this time of the list, and not with the one before. */
  private static <T> void assertThatTimestampIs(
      long millis, ErasureFilterSink.Subject<T> subject, T value) {
    assertThat(subject.isErased(value, erasedUntil(millis), Sha256.create())).isTrue();
    assertThat(subject.isErased(value, erasedUntil(millis - 1), Sha256.create())).isFalse();
  }

  private static ErasedUsers erasedUntil(long millis) {
    return new ErasedUsers(1, Map.of(UserHash.of("a"), millis));
  }

  /** One that began before the erasure tells of what is erased, whenever it ends. */
  @Test
  void ofAStayTheBeginCounts() {
    Stay stay = new Stay(PlaceKind.CELL, "310-260-7-1", 1_000, 9_000, Stay.End.LEFT);

    assertThatTimestampIs(1_000, ErasureFilterSink.STAY, new StayChange("a", stay, false));
  }

  /** It names the place that the user left, from the last record there. */
  @Test
  void ofATripTheLastRecordBeforeItCounts() {
    Trip trip = new Trip(PlaceKind.CELL, "310-260-7-1", "310-260-7-2", 5_000, 9_000, 0);

    assertThatTimestampIs(3_000, ErasureFilterSink.trip(2_000), new TripChange("a", trip, false));
  }

  /** One that began before the erasure was confirmed after it. */
  @Test
  void ofAnAlertTheRecordThatBeganItCounts() {
    Alert alert =
        new Alert(
            "a",
            1_000,
            "left",
            1,
            Alert.Kind.LEFT,
            9_000,
            "depot",
            Alert.Cause.RECORD,
            TestRecords.POSITION,
            null,
            PositionSource.GNSS,
            null,
            1,
            0,
            List.of());

    assertThatTimestampIs(1_000, ErasureFilterSink.ALERT, alert);
  }

  @Test
  void theFirstRecordWaitsUntilTheListWasRead() throws Exception {
    list.forget(RECORD.user(), RECORD.timestampMillis());
    list.fail(new MongoTimeoutException("no primary"), 3);
    try (OneInputStreamOperatorTestHarness<LocatedRecord, ?> harness = open()) {
      harness.processElement(RECORD, 1);
      harness.processElement(SOMEBODY_ELSES, 2);
    }

    assertThat(stored.records()).containsExactly(SOMEBODY_ELSES);
  }

  @Test
  void aListThatCannotBeReadForTooLongFailsTheJobAndNothingIsStored() throws Exception {
    list.fail(new MongoTimeoutException("no primary"), Integer.MAX_VALUE);
    try (OneInputStreamOperatorTestHarness<LocatedRecord, ?> harness =
        open(TestErasure.withRetryTimeout(Duration.ofMillis(50)))) {
      assertThatThrownBy(() -> harness.processElement(RECORD, 1))
          .hasRootCauseMessage("no primary")
          .hasStackTraceContaining(
              "The erasure list cannot be read (MongoTimeoutException, code -3)");
    }

    assertThat(stored.records()).isEmpty();
  }

  @Test
  void anErrorWhileTheFirstRecordWaitsFailsTheJob() throws Exception {
    list.fail(new OutOfMemoryError("none left"), 1);
    try (OneInputStreamOperatorTestHarness<LocatedRecord, ?> harness = open()) {
      assertThatThrownBy(() -> harness.processElement(RECORD, 1))
          .hasRootCauseInstanceOf(OutOfMemoryError.class)
          .hasStackTraceContaining("The job no longer reads the erasure list");
    }

    assertThat(stored.records()).isEmpty();
  }

  @Test
  void aMissingRightFailsTheJobAndSaysWhatToDo() throws Exception {
    list.fail(
        new MongoCommandException(
            BsonDocument.parse("{ok: 0, code: 13, errmsg: 'not authorized'}"), new ServerAddress()),
        1);
    try (OneInputStreamOperatorTestHarness<LocatedRecord, ?> harness = open()) {
      assertThatThrownBy(() -> harness.processElement(RECORD, 1))
          .hasStackTraceContaining(
              "The erasure list cannot be read (MongoCommandException, code 13): the job's role"
                  + " needs the right to read it; update the role with 'lastfix provision' or"
                  + " config/mongodb/create-roles.js");
    }

    assertThat(stored.records()).isEmpty();
  }

  @Test
  void whereTheSinkWithinCannotBeOpenedTheListIsClosed() {
    stored.failsToOpenWith = new OutOfMemoryError("no threads left");

    assertThatThrownBy(this::open).hasMessage("no threads left");

    assertThat(list.isClosed()).isTrue();
  }

  @Test
  void whereTheWriterCannotBeMadeBothAreClosed() {
    WriterInitContext withoutMailbox =
        (WriterInitContext)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {WriterInitContext.class},
                (proxy, method, arguments) -> {
                  throw new NoClassDefFoundError(method.getName());
                });
    ErasureFilterSink<LocatedRecord> sink =
        new ErasureFilterSink<>(
            stored, ErasureFilterSink.RECORD, TestErasure.OPTIONS, unused -> list);

    assertThatThrownBy(() -> sink.createWriter(withoutMailbox))
        .isInstanceOf(NoClassDefFoundError.class);

    assertThat(stored.isClosed).isTrue();
    assertThat(list.isClosed()).isTrue();
  }

  @Test
  void aCheckpointFlushesTheSinkWithinAndClosingClosesBoth() throws Exception {
    try (OneInputStreamOperatorTestHarness<LocatedRecord, ?> harness = open()) {
      harness.prepareSnapshotPreBarrier(1);
      assertThat(stored.flushes).isEqualTo(1);
    }

    assertThat(stored.isClosed).isTrue();
    assertThat(list.isClosed()).isTrue();
  }
}
