package io.lastfix.rules.judge;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import io.lastfix.rules.fence.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Draws what happens to a device that walks about near the border of a circle. */
final class Walk {
  static final Fence.Circle CIRCLE = new Fence.Circle(TestBook.CENTER, 500);

  private static final int EVENTS = 60;

  private final Random random;
  private final boolean changesFence;
  private final List<SimpleJudge.Event> events = new ArrayList<>();
  private final List<LocatedRecord> arrived = new ArrayList<>();
  private long second;
  private double meters;
  private long watermark = -60;

  private Walk(Random random, boolean changesFence) {
    this.random = random;
    this.changesFence = changesFence;
    meters = 350 + random.nextInt(300);
  }

  static List<SimpleJudge.Event> of(Random random, boolean changesFence) {
    Walk walk = new Walk(random, changesFence);
    while (walk.events.size() < EVENTS) {
      walk.next();
    }
    return walk.events;
  }

  private void next() {
    switch (random.nextInt(16)) {
      case 0 -> repeat();
      case 1 -> arrive(record(second - 1 - random.nextInt(200)));
      case 2 -> arrive(record(second));
      case 3 -> advance(second + random.nextInt(200));
      case 4 -> changeFence();
      default -> move();
    }
    if (random.nextBoolean()) {
      advance(second - random.nextInt(30));
    }
  }

  private void repeat() {
    if (!arrived.isEmpty()) {
      arrive(arrived.get(random.nextInt(arrived.size())));
    }
  }

  private void move() {
    second += 1 + random.nextInt(40);
    meters = Math.max(0, meters + 80 * random.nextGaussian());
    arrive(record(second));
  }

  private void arrive(LocatedRecord record) {
    arrived.add(record);
    events.add(new SimpleJudge.Arrival(record));
  }

  private LocatedRecord record(long at) {
    TestRecord record = TestRecord.at(at, meters, 20 * random.nextGaussian());
    return switch (random.nextInt(7)) {
      case 0 -> record.ofCell();
      case 1 -> record.accuracy(10 + random.nextInt(300)).build();
      case 2 -> record.accuracy(10).source(PositionSource.NETWORK).build();
      case 3 -> record.cell(TestRecord.CELL).build();
      case 4 -> record.ofCell(10 + random.nextInt(800));
      default -> record.build();
    };
  }

  private void advance(long to) {
    if (to > watermark) {
      watermark = to;
      events.add(new SimpleJudge.Watermark(TestRecord.millis(to)));
    }
  }

  /** A device moves after each change: what no record has settled, a second change does not end. */
  private void changeFence() {
    if (changesFence) {
      events.add(new SimpleJudge.FenceChange(circle()));
      move();
    }
  }

  private Fence.@Nullable Circle circle() {
    return random.nextInt(4) == 0
        ? null
        : new Fence.Circle(TestBook.CENTER, 350 + random.nextInt(300));
  }
}
