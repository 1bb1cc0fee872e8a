package io.lastfix.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OutagesTest {
  private static final long HOUR = TimeUnit.HOURS.toMillis(1);
  private static final long DAY = TimeUnit.DAYS.toMillis(1);

  /** Of a device with the longest interval, a day. */
  private static final long LONGEST = 3 * DAY;

  private final Outages outages = new Outages();

  private void outage(long fromMillis, long toMillis) {
    outages.add(new Outage(0, fromMillis, toMillis));
  }

  @Test
  void timeStartsAnewWithTheEndOfAnOutageThatBeganBeforeItHadPassed() {
    outage(10, 1_000);
    outage(1_029, 2_000);
    outage(2_030, 3_000);

    assertThat(outages.deadline(0, 0, 30)).as("the third began too late").isEqualTo(2_030 - 9);
    assertThat(outages.deadline(0, 11, 30)).isEqualTo(41);
    assertThat(outages.deadline(1, 0, 30)).as("another partition").isEqualTo(30);
  }

  /** A gateway that restarts each night. */
  @Test
  void aSilentDeviceWithALongIntervalGoesOfflineAlthoughThereIsAnOutageEachDay() {
    for (int day = 1; day <= 30; day++) {
      outage(day * DAY, day * DAY + HOUR);
    }

    assertThat(outages.deadline(0, 0, LONGEST)).isEqualTo(2 * LONGEST + 6 * HOUR);
  }

  @Test
  void anOutageThatMovesADeadlineStaysHoweverLongItIsAgo() {
    outage(HOUR, 2 * DAY);
    outage(4 * DAY, 6 * DAY);
    outage(8 * DAY, 10 * DAY);
    long deadline = outages.deadline(0, 0, LONGEST);
    assertThat(deadline).isEqualTo(10 * DAY + 2 * LONGEST - (HOUR + 2 * DAY + 2 * DAY));

    outages.removeSettledBefore(deadline - 1, LONGEST);

    assertThat(outages.deadline(0, 0, LONGEST)).isEqualTo(deadline);
  }

  @Test
  void anOutageGoesOnceNoDeviceCanHaveBeenSilentSince() {
    outage(0, HOUR);
    outage(DAY, 100 * DAY);

    outages.removeSettledBefore(105 * DAY, LONGEST);
    assertThat(outages.all()).hasSize(2);

    outages.removeSettledBefore(105 * DAY + HOUR + 1, LONGEST);
    assertThat(outages.all()).containsExactly(new Outage(0, DAY, 100 * DAY));
  }

  @Test
  void beforeTheFirstWatermarkNoneGoes() {
    outage(10, 1_000);

    outages.removeSettledBefore(Long.MIN_VALUE, LONGEST);

    assertThat(outages.all()).hasSize(1);
  }
}
