package io.lastfix.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.TestAlert;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WindowTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final TopicPartition FIRST = new TopicPartition("lastfix.alerts", 0);
  private static final TopicPartition SECOND = new TopicPartition("lastfix.alerts", 1);
  private static final Action OTHER = new Action(Action.Kind.MQTT, "fleet/a");
  private static final int SIZE = 500;

  private final Window window = new Window(4, 3);

  @BeforeEach
  void assign() {
    window.assign(FIRST, new OffsetAndMetadata(10));
    window.assign(SECOND, null);
  }

  private void add(TopicPartition partition, long offset, String user, Action... actions) {
    window.add(partition, offset, NOW, SIZE, TestAlert.of(user).alert(), List.of(actions));
  }

  private void add(long offset, String user) {
    add(FIRST, offset, user, TestAlert.DISPATCH);
  }

  private List<String> users(List<Delivery> taken) {
    return taken.stream().map(delivery -> delivery.alert().user()).toList();
  }

  @Test
  void anAlertWaitsForTheEarlierOnesOfItsUser() {
    add(10, "anna");
    add(11, "anna");
    add(12, "ben");

    List<Delivery> taken = window.take(NOW);
    assertThat(taken).extracting(Delivery::offset).containsExactly(10L, 12L);
    assertThat(window.take(NOW)).isEmpty();

    window.finish(taken.get(0));
    assertThat(window.take(NOW)).extracting(Delivery::offset).containsExactly(11L);
  }

  @Test
  void anAlertDoesNotWaitForThoseOfAnotherAction() {
    add(FIRST, 10, "anna", TestAlert.DISPATCH, OTHER);

    List<Delivery> taken = window.take(NOW);
    assertThat(taken).extracting(Delivery::action).containsExactly(TestAlert.DISPATCH, OTHER);
    window.finish(taken.get(0));
    assertThat(window.toCommit().get(FIRST).offset()).isEqualTo(10);
    window.finish(taken.get(1));
    assertThat(window.toCommit()).containsExactly(Map.entry(FIRST, new OffsetAndMetadata(11)));
  }

  @Test
  void onlySoManyAreInFlight() {
    for (int i = 0; i < 4; i++) {
      add(10 + i, "user-" + i);
    }

    List<Delivery> taken = window.take(NOW);
    assertThat(taken).hasSize(3);
    assertThat(window.nextDue()).isEmpty();
    window.finish(taken.get(2));
    assertThat(window.nextDue()).contains(Instant.EPOCH);
    assertThat(users(window.take(NOW))).containsExactly("user-3");
  }

  @Test
  void aFailedAttemptIsDueLater_AndHoldsUpItsUserOnly() {
    add(10, "anna");
    add(11, "anna");
    add(12, "ben");
    List<Delivery> taken = window.take(NOW);
    window.retry(taken.get(0), NOW.plusSeconds(5));
    window.finish(taken.get(1));

    assertThat(window.take(NOW.plusSeconds(4))).isEmpty();
    assertThat(window.nextDue()).contains(NOW.plusSeconds(5));
    assertThat(window.take(NOW.plusSeconds(5))).extracting(Delivery::offset).containsExactly(10L);
  }

  @Test
  void anAlertThatIsDueAgainComesBeforeThoseThatWereReadLater() {
    Window one = new Window(10, 1);
    one.assign(FIRST, null);
    one.add(FIRST, 0, NOW, SIZE, TestAlert.of("anna").alert(), List.of(TestAlert.DISPATCH));
    one.retry(one.take(NOW).get(0), NOW.plusSeconds(1));
    one.add(FIRST, 1, NOW, SIZE, TestAlert.of("ben").alert(), List.of(TestAlert.DISPATCH));
    Delivery ben = one.take(NOW.plusSeconds(2)).get(0);
    one.add(FIRST, 2, NOW, SIZE, TestAlert.of("carl").alert(), List.of(TestAlert.DISPATCH));
    one.finish(ben);

    assertThat(users(one.take(NOW.plusSeconds(3)))).containsExactly("anna");
  }

  @Test
  void itIsFullUntilOneIsFinished() {
    for (int i = 0; i < 4; i++) {
      assertThat(window.isFull()).isFalse();
      add(10 + i, "user-" + i);
    }
    assertThat(window.isFull()).isTrue();

    window.finish(window.take(NOW).get(0));
    assertThat(window.isFull()).isFalse();
    assertThat(window.unfinished()).isEqualTo(3);
  }

  @Test
  void fewLargeAlertsFillIt() {
    Alert anna = TestAlert.of("anna").alert();
    window.add(FIRST, 10, NOW, 3 << 20, anna, List.of(TestAlert.DISPATCH));
    assertThat(window.isFull()).isFalse();
    window.add(FIRST, 11, NOW, 1 << 20, anna, List.of(TestAlert.DISPATCH));
    assertThat(window.isFull()).isTrue();

    window.finish(window.take(NOW).get(0));
    assertThat(window.isFull()).isFalse();
    window.add(SECOND, 0, NOW, 3 << 20, anna, List.of(TestAlert.DISPATCH));
    assertThat(window.isFull()).isTrue();
    window.drop(List.of(SECOND));
    assertThat(window.isFull()).isFalse();
  }

  private static Window fullOfAnna(int others) {
    Window full = new Window(40, 30);
    full.assign(FIRST, null);
    for (int i = 0; i < 40; i++) {
      String user = i < 40 - others ? "anna" : "user-" + i;
      full.add(FIRST, i, NOW, SIZE, TestAlert.of(user).alert(), List.of(TestAlert.DISPATCH));
    }
    return full;
  }

  /** Has the first alert fail, whose line then is due again at {@link #NOW}. */
  private static void fail(Window window, int attempts) {
    for (int i = 0; i < attempts; i++) {
      Delivery first = window.take(NOW).get(0);
      first.fail();
      window.retry(first, NOW);
    }
  }

  @Test
  void alertsBehindOneThatFailsAreGivenUpOnceItIsFull() {
    Window full = fullOfAnna(0);
    fail(full, 5);
    assertThat(full.shorten()).isEmpty();
    fail(full, 1);

    List<Delivery> later = full.shorten();
    assertThat(later).hasSize(36).extracting(Delivery::offset).startsWith(4L).endsWith(39L);
    assertThat(later)
        .extracting(Delivery::givenUp)
        .containsOnly("alerts of this user waited for an earlier one: 39");
    assertThat(full.shorten()).isEmpty();
    // Until Kafka has them.
    assertThat(full.isFull()).isTrue();

    List<Delivery> taken = full.take(NOW);
    assertThat(taken).hasSize(30);
    taken.stream().filter(it -> it.givenUp() != null).forEach(full::finish);
    assertThat(full.isFull()).isFalse();
    List<Delivery> rest = full.take(NOW);
    assertThat(rest).hasSize(7);
    rest.stream().filter(it -> it.givenUp() != null).forEach(full::finish);
    assertThat(full.unfinished()).isEqualTo(4);
    assertThat(full.toCommit().get(FIRST)).isEqualTo(new OffsetAndMetadata(0, "1;40;0-3,"));
  }

  @Test
  void failuresOfAReceiverThatIsDownGiveNothingUp() {
    Window full = fullOfAnna(0);
    for (int i = 0; i < 10; i++) {
      Delivery first = full.take(NOW).get(0);
      var unused = first.begin();
      full.retry(first, NOW);
    }

    assertThat(full.shorten()).isEmpty();
  }

  @Test
  void nothingIsGivenUpIfNoLineIsLong() {
    Window full = fullOfAnna(36);
    for (int i = 0; i < 6; i++) {
      for (Delivery one : full.take(NOW)) {
        one.fail();
        full.retry(one, NOW);
      }
    }

    assertThat(full.shorten()).isEmpty();
  }

  @Test
  void largeAlertsBehindOneThatFailsAreGivenUp() {
    Alert anna = TestAlert.of("anna").alert();
    window.add(FIRST, 10, NOW, 3 << 20, anna, List.of(TestAlert.DISPATCH));
    window.add(FIRST, 11, NOW, 1 << 20, anna, List.of(TestAlert.DISPATCH));
    fail(window, 6);

    assertThat(window.shorten()).extracting(Delivery::offset).containsExactly(11L);
  }

  @Test
  void whatIsGivenUpAndNotWrittenIsTakenAgain_AlsoWhileItIsHeld() {
    Window full = fullOfAnna(0);
    fail(full, 6);
    Delivery later = full.shorten().get(0);
    full.hold(NOW.plusSeconds(60));

    List<Delivery> taken = full.takeExpired(NOW, NOW.minusSeconds(1));
    assertThat(taken).hasSize(30).contains(later);
    taken.stream().filter(it -> it != later).forEach(full::finish);
    full.retry(later, NOW.plusSeconds(1));
    assertThat(full.takeExpired(NOW.plusSeconds(1), NOW.minusSeconds(1))).contains(later);
    full.drop(List.of(FIRST));
    assertThat(full.unfinished()).isZero();
    full.finish(later);
    assertThat(full.unfinished()).isZero();
  }

  @Test
  void aRevokedPartitionGivesNothing_ButWhatIsInFlightEnds() {
    add(10, "anna");
    add(11, "anna");
    add(12, "ben");
    add(SECOND, 0, "carl", TestAlert.DISPATCH);
    List<Delivery> taken = window.take(NOW);
    assertThat(users(taken)).containsExactly("anna", "ben", "carl");

    window.revoke(List.of(FIRST));
    assertThat(window.inFlight(List.of(FIRST))).isEqualTo(2);
    window.finish(taken.get(0));
    window.finish(taken.get(2));

    assertThat(window.inFlight(List.of(FIRST))).isEqualTo(1);
    assertThat(window.take(NOW)).isEmpty();
    assertThat(window.toCommit())
        .isEqualTo(
            Map.of(FIRST, new OffsetAndMetadata(11, "1;2;0-1,"), SECOND, new OffsetAndMetadata(1)));
  }

  @Test
  void oneThatWasNotAttemptedComesFirst() {
    add(10, "anna");
    Delivery anna = window.take(NOW).get(0);
    var unused = anna.begin();
    window.retry(anna, NOW.plusSeconds(1));
    add(11, "ben");
    add(12, "carl");

    assertThat(users(window.takeOne(NOW.plusSeconds(2)))).containsExactly("ben");
    window.hold(NOW.plusSeconds(5));
    assertThat(window.takeOne(NOW.plusSeconds(2))).isEmpty();
  }

  @Test
  void alertsWhoseTimeIsOverAreTakenWhileItIsHeld() {
    add(10, "anna");
    add(11, "ben");
    window.retry(window.take(NOW).get(0), NOW.plusSeconds(1));
    window.hold(NOW.plusSeconds(60));

    assertThat(window.takeExpired(NOW, NOW.minusSeconds(1))).isEmpty();
    assertThat(window.takeExpired(NOW.plusSeconds(1), NOW)).hasSize(1);
  }

  @Test
  void aPartitionIsCommittedUpToItsFirstUnfinishedAlert() {
    add(10, "anna");
    add(11, "ben");
    window.skip(FIRST, 12);
    window.skip(SECOND, 0);
    List<Delivery> taken = window.take(NOW);

    window.finish(taken.get(1));
    assertThat(window.toCommit())
        .isEqualTo(
            Map.of(FIRST, new OffsetAndMetadata(10, "1;3;0,"), SECOND, new OffsetAndMetadata(1)));
    window.committed(window.toCommit());
    assertThat(window.toCommit()).isEmpty();

    window.finish(taken.get(0));
    assertThat(window.toCommit()).containsExactly(Map.entry(FIRST, new OffsetAndMetadata(13)));
  }

  @Test
  void afterARestartOnlyOpenAlertsAreDeliveredAgain() {
    Window next = new Window(10, 10);
    next.assign(FIRST, new OffsetAndMetadata(10, "1;5;0,3,"));
    for (long offset = 10; offset <= 15; offset++) {
      next.add(
          FIRST,
          offset,
          NOW,
          SIZE,
          TestAlert.of("user-" + offset).alert(),
          List.of(TestAlert.DISPATCH));
      if (offset == 10) {
        // What was not read again yet is still known.
        assertThat(next.toCommit()).isEmpty();
      }
    }

    List<Delivery> taken = next.take(NOW);
    assertThat(taken).extracting(Delivery::offset).containsExactly(10L, 13L, 15L);
    taken.forEach(next::finish);
    assertThat(next.toCommit()).containsExactly(Map.entry(FIRST, new OffsetAndMetadata(16)));
  }

  @Test
  void openAlertsThatKafkaHasDeletedHoldUpNoCommit() {
    Window next = new Window(10, 10);
    next.assign(FIRST, new OffsetAndMetadata(10, "1;5;0,3,"));

    next.skip(FIRST, 20);

    assertThat(next.toCommit()).containsExactly(Map.entry(FIRST, new OffsetAndMetadata(21)));
  }

  @Test
  void aDroppedPartitionIsNeitherDeliveredNorCommitted() {
    add(10, "anna");
    add(11, "anna");
    add(SECOND, 0, "ben", TestAlert.DISPATCH);
    List<Delivery> taken = window.take(NOW);

    window.drop(List.of(FIRST));
    assertThat(window.unfinished()).isEqualTo(1);
    window.finish(taken.get(0));
    assertThat(window.take(NOW)).isEmpty();
    window.finish(taken.get(1));
    assertThat(window.toCommit()).containsExactly(Map.entry(SECOND, new OffsetAndMetadata(1)));
    assertThat(window.inFlight()).isZero();
  }

  @Test
  void anAttemptOfBeforeARebalanceDoesNotFinishTheSameAlertOfAfter() {
    add(10, "anna");
    Delivery before = window.take(NOW).get(0);
    window.drop(List.of(FIRST));
    window.assign(FIRST, new OffsetAndMetadata(10));
    add(10, "anna");

    window.finish(before);

    assertThat(window.isDropped(before)).isTrue();
    assertThat(window.toCommit().get(FIRST).offset()).isEqualTo(10);
    assertThat(window.take(NOW)).extracting(Delivery::offset).containsExactly(10L);
  }

  @Test
  void alertsOfATopicThatIsCreatedAgainAreDelivered_AndTheFormerOnesToo() {
    add(10, "anna");
    Delivery former = window.take(NOW).get(0);

    add(0, "ben");
    add(1, "carl");

    List<Delivery> taken = window.take(NOW);
    assertThat(users(taken)).containsExactly("ben", "carl");
    window.finish(taken.get(0));
    assertThat(window.toCommit())
        .containsExactly(Map.entry(FIRST, new OffsetAndMetadata(1, "1;1;0,")));
    window.finish(former);
    window.finish(taken.get(1));
    assertThat(window.toCommit()).containsExactly(Map.entry(FIRST, new OffsetAndMetadata(2)));
    assertThat(window.unfinished()).isZero();
  }

  @Test
  void anAlertBelowTheCommittedOffsetIsOfATopicThatWasCreatedAgain() {
    Window next = new Window(10, 10);
    next.assign(FIRST, new OffsetAndMetadata(10, "1;5;0,3,"));

    next.add(FIRST, 3, NOW, SIZE, TestAlert.of("anna").alert(), List.of(TestAlert.DISPATCH));

    List<Delivery> taken = next.take(NOW);
    assertThat(taken).extracting(Delivery::offset).containsExactly(3L);
    next.finish(taken.get(0));
    assertThat(next.toCommit()).containsExactly(Map.entry(FIRST, new OffsetAndMetadata(4)));
  }

  @Test
  void aWindowThatIsHeldGivesNothingUntilThen() {
    add(10, "anna");
    window.hold(NOW.plusSeconds(5));
    window.hold(NOW.plusSeconds(2));

    assertThat(window.take(NOW.plusSeconds(4))).isEmpty();
    assertThat(window.nextDue()).contains(NOW.plusSeconds(5));
    assertThat(window.take(NOW.plusSeconds(5))).hasSize(1);
  }

  @Test
  void aStoppedOneGivesNothing() {
    add(10, "anna");
    window.stop();

    assertThat(window.take(NOW)).isEmpty();
    assertThat(window.nextDue()).isEmpty();
  }

  @Test
  void theOldestIsTheOneThatKafkaTookFirst() {
    assertThat(window.oldest()).isEmpty();
    Alert anna = TestAlert.of("anna").alert();
    window.add(FIRST, 10, NOW.minusSeconds(5), SIZE, anna, List.of(TestAlert.DISPATCH));
    add(11, "anna");

    assertThat(window.oldest()).contains(NOW.minusSeconds(5));
  }
}
