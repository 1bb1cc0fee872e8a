package io.lastfix.console.live;

import io.lastfix.console.query.Box;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one browser has still to hear: of each device only the newest. If that are too many devices,
 * nothing is kept, and the browser queries all of them again.
 *
 * <p>A device that leaves the box is sent once, so that it does not stay where it was.
 */
public final class Subscription {
  /** Of devices, each with a sighting of about 300 bytes. */
  static final int MOST_DEVICES = 20_000;

  private final String client;
  private final Box box;
  private final Supplier<String> id;
  private final Map<String, Sighting> waiting = new LinkedHashMap<>();
  private final Set<String> inside = new HashSet<>();
  private boolean isReset;
  private volatile boolean isEnded;

  Subscription(String client, Box box, Supplier<String> id) {
    this.client = client;
    this.box = box;
    this.id = id;
  }

  /**
   * What a browser hears.
   *
   * @param id with which it resumes after this
   * @param isReset whether it has to query everything again
   * @param sightings one for each device
   */
  public record Delta(String id, boolean isReset, List<Sighting> sightings) {}

  String client() {
    return client;
  }

  void end() {
    isEnded = true;
  }

  /** Whether it gave its place to another client's. */
  public boolean isEnded() {
    return isEnded;
  }

  synchronized void offer(Sighting sighting) {
    String user = sighting.user();
    Position position = sighting.position();
    if (position != null && box.contains(position)) {
      if (inside.size() < MOST_DEVICES) {
        inside.add(user);
      }
    } else if (!inside.remove(user) && !waiting.containsKey(user)) {
      return;
    }
    Sighting before = waiting.get(user);
    if (before != null && before.timestamp().isAfter(sighting.timestamp())) {
      return;
    }
    if (before == null && waiting.size() >= MOST_DEVICES) {
      reset();
    } else {
      waiting.put(user, sighting);
    }
  }

  synchronized void reset() {
    waiting.clear();
    isReset = true;
  }

  /** With which a browser resumes that heard all that had been taken before this and after it. */
  public String newestId() {
    return id.get();
  }

  /** Takes all that waits; null if nothing does. */
  public @Nullable Delta take() {
    // Before what waits is taken: what comes in between is then heard twice, not never.
    String newest = id.get();
    synchronized (this) {
      if (waiting.isEmpty() && !isReset) {
        return null;
      }
      Delta delta = new Delta(newest, isReset, new ArrayList<>(waiting.values()));
      waiting.clear();
      isReset = false;
      return delta;
    }
  }
}
