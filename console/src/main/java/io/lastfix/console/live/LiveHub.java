package io.lastfix.console.live;

import io.lastfix.console.http.FairShare;
import io.lastfix.console.query.Box;
import io.lastfix.model.Sighting;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Hands located records to all subscriptions, and keeps the latest ones so that a browser that
 * comes back misses nothing. Thread-safe.
 */
public final class LiveHub {
  /** A few seconds of a large fleet, or an hour of a small one. */
  static final int KEPT = 50_000;

  private final String epoch;
  private final int maxSubscriptions;
  private final Sighting[] kept;
  private final Set<Subscription> subscriptions = new LinkedHashSet<>();
  private long next;
  private volatile boolean isClosed;

  /**
   * A hub without subscriptions.
   *
   * @param maxSubscriptions how many may be open at once
   */
  public LiveHub(int maxSubscriptions) {
    this(maxSubscriptions, KEPT, UUID.randomUUID().toString().substring(0, 8));
  }

  LiveHub(int maxSubscriptions, int keptCount, String epoch) {
    this.maxSubscriptions = maxSubscriptions;
    this.epoch = epoch;
    kept = new Sighting[keptCount];
  }

  /** Forwards a sighting; one without a position is left out. */
  public void publish(Sighting sighting) {
    if (sighting.position() == null) {
      return;
    }
    synchronized (this) {
      kept[(int) (next % kept.length)] = sighting;
      next++;
      subscriptions.forEach(subscription -> subscription.offer(sighting));
    }
  }

  /**
   * Subscribes to a box. If there are too many subscriptions, one of the client with the most ends.
   *
   * @param client of {@link FairShare#client}
   * @param lastId what the browser has seen last; null: it begins
   * @return null if there are too many subscriptions, and none has to end
   */
  public synchronized @Nullable Subscription subscribe(
      String client, Box box, @Nullable String lastId) {
    if (subscriptions.size() >= maxSubscriptions) {
      Optional<Subscription> leaving =
          FairShare.leaving(subscriptions, Subscription::client, client);
      if (leaving.isEmpty()) {
        return null;
      }
      leaving.get().end();
      subscriptions.remove(leaving.get());
    }
    Subscription subscription = new Subscription(client, box, this::id);
    long seen = lastId == null ? next : seen(lastId);
    if (seen < 0 || seen > next || next - seen > kept.length) {
      subscription.reset();
    } else {
      missed(seen).forEach(subscription::offer);
    }
    subscriptions.add(subscription);
    return subscription;
  }

  private List<Sighting> missed(long seen) {
    List<Sighting> missed = new ArrayList<>();
    for (long i = seen; i < next; i++) {
      missed.add(kept[(int) (i % kept.length)]);
    }
    return missed;
  }

  /** How many had been published; negative if the id is of another hub, or none. */
  private long seen(String id) {
    String prefix = epoch + "-";
    try {
      return id.startsWith(prefix) ? Long.parseLong(id.substring(prefix.length())) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private synchronized String id() {
    return epoch + "-" + next;
  }

  /** Ends a subscription. */
  public synchronized void unsubscribe(Subscription subscription) {
    subscriptions.remove(subscription);
  }

  /** Ends all subscriptions. */
  public void close() {
    isClosed = true;
  }

  /** Whether all subscriptions are to end. */
  public boolean isClosed() {
    return isClosed;
  }

  /** How many there are. */
  public synchronized int subscriptions() {
    return subscriptions.size();
  }

  /** How many of them a client has. */
  public synchronized int subscriptionsOf(String client) {
    return FairShare.count(subscriptions, Subscription::client, client);
  }
}
