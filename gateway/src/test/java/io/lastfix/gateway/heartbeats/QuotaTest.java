package io.lastfix.gateway.heartbeats;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.config.QuotaOptions;
import io.lastfix.gateway.heartbeats.Quota.Decision;
import io.lastfix.gateway.heartbeats.Quota.Granted;
import io.lastfix.gateway.heartbeats.Quota.Refused;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.model.device.DeviceUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaTest {
  private static final LocalDate DAY = LocalDate.of(2026, 11, 20);
  private static final long LIMIT = 1 << 20;

  private Instant now = Instant.parse("2026-11-20T12:00:00Z");

  private Quota quota(long limit, int gateways) {
    return new Quota(new QuotaOptions((int) limit, gateways, 1_000), () -> now);
  }

  private static DeviceUsage usage(long bytes, long offset) {
    return new DeviceUsage("a", DAY, bytes, 0, offset);
  }

  private static void grant(Quota quota, int bytes, long offset) {
    Decision decision = quota.request("a", bytes);
    assertThat(decision).isInstanceOf(Granted.class);
    ((Granted) decision).stored(new Stored("lastfix.heartbeats", 0, offset));
  }

  @Test
  void oneGatewayCountsByItself() {
    Quota quota = quota(1_000, 1);
    grant(quota, 600, 0);

    assertThat(quota.request("a", 401)).isEqualTo(new Refused(1_000, 600, Duration.ofHours(12)));
    assertThat(quota.request("a", 400)).isInstanceOf(Granted.class);
    assertThat(quota.request("b", 1_000)).isInstanceOf(Granted.class);
  }

  @Test
  void whoIsOverItsQuotaIsNamedUntilMidnight() {
    Quota quota = quota(1_000, 1);
    grant(quota, 600, 0);
    assertThat(quota.request("b", 999)).isInstanceOf(Granted.class);
    assertThat(quota.over()).isEmpty();

    quota.request("b", 2);
    quota.request("a", 401);
    quota.requestUnshared("a", 401);
    assertThat(quota.over()).containsExactly("a", "b");

    now = Instant.parse("2026-11-21T00:00:00Z");
    assertThat(quota.over()).isEmpty();
  }

  @Test
  void whoseSmallerRecordsPassIsNotOverItsQuota() {
    Quota quota = quota(1_000, 1);
    grant(quota, 600, 0);
    quota.request("a", 401);
    assertThat(quota.over()).containsExactly("a");

    grant(quota, 10, 1);

    assertThat(quota.over()).isEmpty();
  }

  @Test
  void aGatewayThatWaitsForTheCountIsNotOverTheQuota() {
    Quota quota = quota(1_000, 10);
    grant(quota, 90, 0);

    assertThat(quota.request("a", 90)).isInstanceOf(Refused.class);
    assertThat(quota.over()).isEmpty();
  }

  @Test
  void whatOtherGatewaysAcceptedCounts() {
    Quota quota = quota(1_000, 1);
    grant(quota, 100, 4);
    quota.published(usage(700, 3));
    assertThat(quota.request("a", 201)).isEqualTo(new Refused(1_000, 800, Duration.ofHours(12)));

    quota.published(usage(800, 4));

    assertThat(quota.request("a", 201)).isEqualTo(new Refused(1_000, 800, Duration.ofHours(12)));
    assertThat(quota.request("a", 200)).isInstanceOf(Granted.class);
  }

  @Test
  void aSignThatTheJobCountedBeforeItsAcknowledgementCountsOnce() {
    Quota quota = quota(1_000, 1);
    Granted granted = (Granted) quota.request("a", 500);
    quota.published(usage(500, 0));
    granted.stored(new Stored("lastfix.heartbeats", 0, 0));

    assertThat(quota.request("a", 500)).isInstanceOf(Granted.class);
  }

  @Test
  void aReplayOfTheJobTakesNothingBack() {
    Quota quota = quota(1_000, 1);
    quota.published(usage(900, 9));
    quota.published(usage(300, 3));

    assertThat(quota.request("a", 101)).isInstanceOf(Refused.class);
  }

  @Test
  void aRequestThatWasNotAcceptedAfterAllDoesNotCount() {
    Quota quota = quota(1_000, 1);
    ((Granted) quota.request("a", 1_000)).notAccepted();

    assertThat(quota.request("a", 1_000)).isInstanceOf(Granted.class);
  }

  @Test
  void theDayBeginsAnewAtMidnightInUtc() {
    Quota quota = quota(1_000, 1);
    Granted late = (Granted) quota.request("a", 1_000);
    now = Instant.parse("2026-11-20T23:59:59.999Z");
    assertThat(quota.request("a", 1)).isInstanceOf(Refused.class);

    now = Instant.parse("2026-11-21T00:00:00Z");
    grant(quota, 400, 1);
    late.notAccepted();
    quota.published(usage(1_000, 0));

    assertThat(quota.request("a", 601)).isInstanceOf(Refused.class);
    assertThat(quota.request("a", 600)).isInstanceOf(Granted.class);
    assertThat(quota.devices()).isEqualTo(1);
  }

  @Test
  void beyondTheNumberOfDevicesFurtherOnesAreNeitherCountedNorLimited() {
    Quota quota = new Quota(new QuotaOptions(1_000, 1, 1), () -> now);
    grant(quota, 900, 0);

    ((Granted) quota.request("b", 900)).stored(new Stored("lastfix.heartbeats", 0, 1));
    assertThat(quota.request("b", 900)).isInstanceOf(Granted.class);
    quota.published(new DeviceUsage("b", DAY, 1_000, 0, 1));
    assertThat(quota.request("b", 900)).isInstanceOf(Granted.class);

    assertThat(quota.devices()).isEqualTo(1);
    assertThat(quota.uncounted()).isEqualTo(3);
    assertThat(quota.request("a", 900)).as("one that is counted").isInstanceOf(Refused.class);
    now = Instant.parse("2026-11-21T00:00:00Z");
    quota.request("b", 1_000);
    assertThat(quota.request("b", 1)).as("the next day").isInstanceOf(Refused.class);
  }

  @Test
  void smallRequestsThatTheJobHasNotCountedStillCountOnce() {
    Quota quota = quota(100_000, 1);
    for (int offset = 0; offset < 1_000; offset++) {
      grant(quota, 50, offset);
    }
    assertThat(quota.request("a", 50_001)).isInstanceOf(Refused.class);

    quota.published(usage(50_000, 999));

    assertThat(quota.request("a", 50_001)).isInstanceOf(Refused.class);
    assertThat(quota.request("a", 50_000)).isInstanceOf(Granted.class);
  }

  /** A piece that the job has counted in part still counts as a whole: never too little. */
  @Property(tries = 300)
  void bytesOfAJobThatIsFarBehindCountAtLeastOnceAndOnceItHasCaughtUpExactly(
      @ForAll long seed, @ForAll @IntRange(min = 1_000, max = 20_000) int bytes) {
    Random random = new Random(seed);
    Quota quota = quota(LIMIT, 1);
    List<Integer> sizes = new ArrayList<>();
    long accepted = 0;
    int size = 1 + random.nextInt(bytes);
    while (accepted + size <= LIMIT) {
      grant(quota, size, sizes.size());
      sizes.add(size);
      accepted += size;
      size = 1 + random.nextInt(bytes);
    }

    long counted = 0;
    for (int offset = 0; offset < sizes.size(); offset++) {
      counted += sizes.get(offset);
      quota.published(usage(counted, offset));
      Refused refused = (Refused) quota.request("a", (int) LIMIT);
      assertThat(refused.used()).isGreaterThanOrEqualTo(accepted);
    }

    assertThat(((Refused) quota.request("a", (int) LIMIT)).used()).isEqualTo(accepted);
  }

  /** At the end of a day for which no job has published anything. */
  @ParameterizedTest
  @CsvSource({"1000, 1000", "3000, 349", "5000, 209", "20000, 52"})
  void aDeviceTakesFewPiecesOfMemoryWhateverItPushes(int bytes, int requests) {
    Quota quota = quota(LIMIT, 1);
    for (int offset = 0; offset < requests; offset++) {
      grant(quota, bytes, offset);
    }

    assertThat(quota.pieces("a")).isLessThanOrEqualTo(8);
    assertThat(((Refused) quota.request("a", (int) LIMIT)).used())
        .isEqualTo((long) bytes * requests);
  }

  @Test
  void aRestartForgetsNothingThatTheJobHasCounted() {
    Quota restarted = quota(1_000, 10);
    restarted.published(usage(1_000, 5));

    assertThat(restarted.request("a", 1)).isInstanceOf(Refused.class);
  }

  @Test
  void bytesThatCannotBeSentAgainAreRefusedOnlyOnceTheQuotaIsUsedUp() {
    Quota quota = quota(1_000, 10);
    assertThat(quota.requestUnshared("a", 600)).isInstanceOf(Granted.class);
    assertThat(quota.request("a", 100)).isInstanceOf(Refused.class);
    assertThat(quota.requestUnshared("a", 400)).isInstanceOf(Granted.class);

    assertThat(quota.requestUnshared("a", 1))
        .isEqualTo(new Refused(1_000, 1_000, Duration.ofHours(12)));
  }

  @Test
  void oneOfManyGatewaysTakesItsShareUntilTheJobHasCounted() {
    Quota quota = quota(1_000, 10);
    grant(quota, 60, 0);
    grant(quota, 40, 1);
    assertThat(quota.request("a", 1)).isEqualTo(new Refused(1_000, 100, Duration.ZERO));

    quota.published(usage(100, 1));

    assertThat(quota.request("a", 90)).isInstanceOf(Granted.class);
  }

  @Test
  void aSingleRequestMayHaveTheWholeRest() {
    Quota quota = quota(1_000, 10);

    assertThat(quota.request("a", 1_000)).isInstanceOf(Granted.class);
  }

  @Test
  void bytesThatTheJobNeverHearsOfCountHereAndHoldNothingBack() {
    Quota quota = quota(1_000, 10);
    ((Granted) quota.request("a", 300)).countedHereOnly();
    quota.published(usage(100, 3));

    assertThat(quota.request("a", 601)).isEqualTo(new Refused(1_000, 400, Duration.ofHours(12)));
    assertThat(quota.request("a", 600)).isInstanceOf(Granted.class);
  }

  @Test
  void aSignWithoutAnOffsetHoldsNothingBackAfterTheNextCount() {
    Quota quota = quota(1_000, 10);
    grant(quota, 10, -1);
    assertThat(quota.request("a", 900)).isInstanceOf(Refused.class);

    quota.published(usage(10, 7));

    assertThat(quota.request("a", 900)).isInstanceOf(Granted.class);
  }

  @Test
  void aSignInAFormerPartitionHoldsNothingBackAfterTheNextCount() {
    Quota quota = quota(1_000, 10);
    grant(quota, 10, 5);

    quota.published(new DeviceUsage("a", DAY, 10, 7, 0));

    assertThat(quota.request("a", 900)).isInstanceOf(Granted.class);
  }

  @Test
  void theJobIsAskedOnceUntilItAnswersOrTheQuestionIsLost() {
    Quota quota = quota(1_000, 10);
    assertThat(quota.startAsking("a")).as("a device that has used nothing").isFalse();
    grant(quota, 10, 0);

    assertThat(quota.startAsking("a")).isTrue();
    assertThat(quota.startAsking("a")).isFalse();
    quota.askedInVain("a");
    assertThat(quota.startAsking("a")).isTrue();
    quota.published(usage(10, 1));
    assertThat(quota.startAsking("a")).isTrue();
  }

  /** The gateway's clock is ahead: its day has begun, and the broker's has not. */
  @Test
  void bytesThatTheJobCountedForTheDayBeforeHoldNothingBack() {
    Quota quota = quota(1_000, 10);
    now = Instant.parse("2026-11-21T00:00:00Z");
    grant(quota, 300, 7);
    assertThat(quota.request("a", 800)).isInstanceOf(Refused.class);
    assertThat(quota.request("a", 700)).isEqualTo(new Refused(1_000, 300, Duration.ZERO));
    assertThat(quota.startAsking("a")).isTrue();

    quota.published(usage(500, 8));

    assertThat(quota.request("a", 1_000)).as("the new day's quota").isInstanceOf(Granted.class);
    assertThat(quota.startAsking("a")).as("whether the question is answered").isTrue();
  }

  /** It has the state of a former day, as a gateway that starts reads it. */
  @Test
  void aUsageOfAFormerDayTakesNoMemory() {
    Quota quota = quota(1_000, 10);
    now = Instant.parse("2026-11-21T00:00:00Z");

    quota.published(usage(500, 8));

    assertThat(quota.devices()).isZero();
  }

  /** The gateway's clock is behind: the broker's day has begun, and its own has not. */
  @Test
  void bytesThatTheJobCountedForTheNextDayCountOnThatDay() {
    Quota quota = quota(1_000, 1);
    now = Instant.parse("2026-11-20T23:59:58Z");
    quota.published(new DeviceUsage("a", DAY.plusDays(1), 900, 0, 5));
    assertThat(quota.request("a", 1_000)).isInstanceOf(Granted.class);

    now = Instant.parse("2026-11-21T00:00:00Z");

    assertThat(quota.request("a", 101)).isEqualTo(new Refused(1_000, 900, Duration.ofDays(1)));
    assertThat(quota.request("a", 100)).isInstanceOf(Granted.class);
  }

  /**
   * Whatever was accepted before, and by which gateway: each one takes a body that fits the rest,
   * at the latest after it has asked the job for the count.
   */
  @Property(tries = 300)
  void theRestOfTheQuotaIsUsableOnceTheJobWasAsked(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 10_000) int bytes) {
    Random random = new Random(seed);
    long step = LIMIT / 200;
    List<Quota> gateways = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      gateways.add(quota(LIMIT, 10));
    }
    long accepted = 0;
    int requests = 1 + random.nextInt(300);
    for (int offset = 0; offset < requests; offset++) {
      int size = 1 + random.nextInt(bytes);
      Quota gateway = gateways.get(random.nextInt(10));
      if (gateway.request("a", size) instanceof Granted granted) {
        granted.stored(new Stored("lastfix.heartbeats", 0, offset));
        long before = accepted;
        accepted += size;
        if (accepted / step > before / step) {
          DeviceUsage crossed = usage(accepted, offset);
          gateways.forEach(each -> each.published(crossed));
        }
      }
    }
    Quota gateway = gateways.get(random.nextInt(10));
    int rest = (int) (LIMIT - accepted);
    for (int size : new int[] {Math.min(100, rest), rest}) {
      Decision decision = gateway.request("a", size);
      if (decision instanceof Refused refused) {
        assertThat(refused.untilReset()).isZero();
        assertThat(gateway.startAsking("a")).isTrue();
        gateway.published(usage(accepted, requests));
        decision = gateway.request("a", size);
      }
      assertThat(decision).isInstanceOf(Granted.class);
      ((Granted) decision).notAccepted();
    }
  }

  /** Small: all gateways' requests together are within the tolerance. */
  @Property(tries = 200)
  void tenGatewaysExceedTheQuotaByAHundredthAndOneRequestAtMost(
      @ForAll long seed, @ForAll @IntRange(min = 0, max = 200) int lateness) {
    int bytes = 500;

    assertThat(accepted(new Random(seed), bytes, lateness))
        .isBetween(LIMIT - 20L * bytes, LIMIT + LIMIT / 100 + bytes);
  }

  /** Each gateway may give away the rest to one large request before the job has counted it. */
  @Property(tries = 200)
  void withLargeRequestsItIsOneRequestOfEachGatewayAtMost(
      @ForAll long seed,
      @ForAll @IntRange(min = 500, max = 200_000) int bytes,
      @ForAll @IntRange(min = 0, max = 200) int lateness) {
    assertThat(accepted(new Random(seed), bytes, lateness))
        .isLessThanOrEqualTo(LIMIT + LIMIT / 100 + 10L * bytes);
  }

  /**
   * What ten gateways accept of a device that pushes to all of them, while the job's counts arrive
   * late, and gateways restart and read what the job has published so far.
   *
   * @param bytes of the largest request
   * @param lateness requests that each count is late
   */
  private long accepted(Random random, int bytes, int lateness) {
    long step = LIMIT / 200;
    List<Quota> gateways = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      gateways.add(quota(LIMIT, 10));
    }
    Deque<Map.Entry<Integer, DeviceUsage>> onTheirWay = new ArrayDeque<>();
    DeviceUsage published = usage(0, -1);
    long accepted = 0;
    long offset = 0;
    int refusals = 0;
    for (int tries = 0; refusals < lateness + 200; tries++) {
      int gateway = random.nextInt(10);
      int size = 1 + random.nextInt(bytes);
      if (gateways.get(gateway).request("a", size) instanceof Granted granted) {
        granted.stored(new Stored("lastfix.heartbeats", 0, offset));
        accepted += size;
        refusals = 0;
        if (accepted / step > published.bytes() / step) {
          published = usage(accepted, offset);
          onTheirWay.add(Map.entry(tries + lateness, published));
        }
        offset++;
      } else {
        refusals++;
      }
      while (!onTheirWay.isEmpty() && onTheirWay.element().getKey() <= tries) {
        DeviceUsage arrived = onTheirWay.remove().getValue();
        gateways.forEach(each -> each.published(arrived));
      }
      if (random.nextInt(500) == 0) {
        Quota restarted = quota(LIMIT, 10);
        restarted.published(published);
        gateways.set(gateway, restarted);
      }
    }
    return accepted;
  }
}
