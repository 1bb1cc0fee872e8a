package io.lastfix.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.console.live.Subscription.Delta;
import io.lastfix.console.query.Box;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveHubTest {
  private static final Box BOX = new Box(0, 0, 10, 10);
  private final LiveHub hub = new LiveHub(2, 100, "epoch");

  private static Sighting sighting(String user, int second, double lon) {
    return new Sighting(user, Instant.ofEpochSecond(second), "1-1-1-1", new Position(lon, 5));
  }

  private Subscription subscribe(@Nullable String lastId) {
    Subscription subscription = hub.subscribe("client", BOX, lastId);
    assertThat(subscription).isNotNull();
    return subscription;
  }

  private static Delta take(Subscription subscription) {
    Delta delta = subscription.take();
    assertThat(delta).isNotNull();
    return delta;
  }

  @Test
  void ofEachDeviceOnlyTheNewestIsForwarded() {
    Subscription subscription = subscribe(null);
    hub.publish(sighting("a", 1, 1));
    hub.publish(sighting("b", 1, 1));
    hub.publish(sighting("a", 3, 3));
    hub.publish(sighting("a", 2, 2));

    assertThat(take(subscription).sightings())
        .containsExactly(sighting("a", 3, 3), sighting("b", 1, 1));
    assertThat(subscription.take()).isNull();
  }

  @Test
  void aDeviceThatLeavesTheBoxIsForwardedOnce() {
    Subscription subscription = subscribe(null);
    hub.publish(sighting("elsewhere", 1, 50));
    assertThat(subscription.take()).isNull();
    hub.publish(sighting("a", 1, 5));
    assertThat(take(subscription).sightings()).hasSize(1);
    hub.publish(sighting("a", 2, 50));
    hub.publish(sighting("a", 3, 51));
    assertThat(take(subscription).sightings()).containsExactly(sighting("a", 3, 51));
    hub.publish(sighting("a", 4, 52));
    assertThat(subscription.take()).isNull();
  }

  @Test
  void whoComesBackGetsWhatItMissed() {
    Subscription first = subscribe(null);
    hub.publish(sighting("a", 1, 1));
    String id = take(first).id();
    hub.unsubscribe(first);
    hub.publish(sighting("a", 2, 2));
    hub.publish(sighting("b", 2, 2));

    Delta delta = take(subscribe(id));

    assertThat(delta.isReset()).isFalse();
    assertThat(delta.sightings()).containsExactly(sighting("a", 2, 2), sighting("b", 2, 2));
  }

  @Test
  void whoMissedMoreThanIsKeptOrComesFromAnotherServerQueriesAgain() {
    String old = take(resetSubscription("epoch-x")).id();
    for (int i = 0; i < 101; i++) {
      hub.publish(sighting("a", i, 1));
    }

    assertThat(take(resetSubscription(old)).isReset()).isTrue();
    assertThat(take(resetSubscription("other-1")).isReset()).isTrue();
    assertThat(take(resetSubscription("epoch-102")).isReset()).isTrue();
  }

  private Subscription resetSubscription(String lastId) {
    Subscription subscription = subscribe(lastId);
    hub.unsubscribe(subscription);
    return subscription;
  }

  @Test
  void aBrowserThatDoesNotReadHoldsSoManyDevicesAndThenNone() {
    Subscription subscription = subscribe(null);
    for (int i = 0; i <= Subscription.MOST_DEVICES; i++) {
      hub.publish(sighting("user" + i, 1, 1));
    }
    hub.publish(sighting("newest", 2, 2));

    Delta delta = take(subscription);

    assertThat(delta.isReset()).isTrue();
    assertThat(delta.sightings()).containsExactly(sighting("newest", 2, 2));
  }

  @Test
  void onlySoManyListen() {
    Subscription first = subscribe(null);
    subscribe(null);

    assertThat(hub.subscribe("client", BOX, null)).isNull();
    hub.unsubscribe(first);
    assertThat(hub.subscribe("client", BOX, null)).isNotNull();
  }

  @Test
  void ofTheClientWithTheMostTheNewestEndsForAnother() {
    Subscription first = subscribe(null);
    Subscription second = subscribe(null);

    assertThat(hub.subscribe("other", BOX, null)).isNotNull();
    assertThat(first.isEnded()).isFalse();
    assertThat(second.isEnded()).isTrue();
    assertThat(hub.subscribe("third", BOX, null)).as("each has one").isNull();
    assertThat(hub.subscriptions()).isEqualTo(2);
    assertThat(hub.subscriptionsOf("other")).isEqualTo(1);
  }

  @Test
  void recordsWithoutAPositionAreLeftOut() {
    Subscription subscription = subscribe(null);
    hub.publish(new Sighting("a", Instant.EPOCH, "1-1-1-1", null));

    assertThat(subscription.take()).isNull();
  }

  @Test
  void aLocatedRecordBecomesTheSightingThatAQueryWouldFind() {
    CellId cell = new CellId(311, 480, 1, 2);
    LocatedRecord record =
        new LocatedRecord("a", new Place.AtCell(cell, null), 1_000, new Position(1, 2), false);

    assertThat(LocatedFeed.sighting(record))
        .isEqualTo(
            new Sighting("a", Instant.ofEpochSecond(1), cell.toString(), new Position(1, 2)));
  }
}
