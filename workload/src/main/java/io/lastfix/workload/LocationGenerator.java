package io.lastfix.workload;

import io.lastfix.model.CellSite;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Generates location messages of devices that move between neighbouring cells: the successor of the
 * pilot's {@code passiveLocationPush}.
 *
 * <p>A device begins at any cell, and then stays or moves to one of the {@link CellMap#NEIGHBOURS}
 * nearest cells. The records' own time advances by {@link GeneratorOptions#intervalMillis()} from
 * one to the next, so no two have the same time, and History must hold exactly the distinct
 * records. Not thread-safe.
 */
public final class LocationGenerator implements Iterator<OutgoingMessage> {
  /** The longest delay of a late record after the others of its time, by the records' own time. */
  public static final Duration MAX_DELAY = Duration.ofMinutes(5);

  /** The distance, in messages, within which a message may be sent again. */
  private static final int REMEMBERED_MESSAGES = 1024;

  private static final double SHARE_THAT_MOVES = 0.3;
  private static final int NOT_HEARD_YET = -1;

  private static final double SHARE_OF_COARSE_FIXES = 0.25;

  /**
   * How far a device's own position is from its cell, in each direction: about 550 m of latitude.
   */
  private static final long MAX_MICRO_DEGREES = 5_000;

  private static final double MAX_LONGITUDE = 180;
  private static final double MAX_LATITUDE = 90;

  private final GeneratorOptions options;
  private final CellMap map;
  private final RecordEncoder encoder;
  private final UserActivity activity;
  private final SplittableRandom random;
  private final int[] cellOfUser;
  private final PriorityQueue<HeldRecord> held =
      new PriorityQueue<>(Comparator.comparingLong(HeldRecord::releaseMillis));
  private final List<OutgoingMessage> recent = new ArrayList<>();
  private final long intervalMillis;
  private int lastUser;
  private long nextTimestampMillis;
  private long sent;
  private long messages;

  /** A late record, and the time of its release. */
  private record HeldRecord(LocationRecord record, long releaseMillis) {}

  /**
   * A generator at its beginning.
   *
   * @param cells where devices are heard; at least one. Runs with equal results need them in the
   *     same order.
   */
  public LocationGenerator(GeneratorOptions options, List<CellSite> cells) {
    this.options = options;
    map = new CellMap(cells);
    encoder = options.format().newEncoder();
    activity = new UserActivity(options.users(), options.skew());
    random = new SplittableRandom(options.seed());
    cellOfUser = new int[options.users()];
    Arrays.fill(cellOfUser, NOT_HEARD_YET);
    intervalMillis = options.intervalMillis();
    nextTimestampMillis = options.startMillis();
  }

  /** The name of a user by its number, from 0 to one less than the number of users. */
  public static String user(int number) {
    return Imei.ofDevice(number);
  }

  @Override
  public boolean hasNext() {
    return sent < options.count();
  }

  @Override
  public OutgoingMessage next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all " + options.count() + " records were generated");
    }
    OutgoingMessage message = nextMessage();
    sent += message.recordCount();
    messages++;
    return message;
  }

  private OutgoingMessage nextMessage() {
    double kind = random.nextDouble();
    long free = options.count() - sent - held.size(); // places are reserved for late records
    if (kind < options.duplicates()) {
      OutgoingMessage earlier = anyRecentMessage();
      if (earlier != null && earlier.recordCount() <= free) {
        return earlier.again();
      }
    } else if (kind < options.duplicates() + options.malformed() && free > 0) {
      return malformedMessage();
    }
    return goodMessage();
  }

  private @Nullable OutgoingMessage anyRecentMessage() {
    return recent.isEmpty() ? null : recent.get(random.nextInt(recent.size()));
  }

  private OutgoingMessage malformedMessage() {
    LocationRecord record = newRecordAtCell();
    byte[] good = encoder.encode(List.of(record), sent);
    byte[] broken = Malformation.any(random).apply(good, options.format(), random);
    return OutgoingMessage.broken(options.format(), keyOf(record), broken, List.of());
  }

  private OutgoingMessage goodMessage() {
    int size = (int) Math.min(options.batch(), options.count() - sent);
    List<LocationRecord> records = new ArrayList<>(size);
    while (records.size() < size) {
      records.add(nextRecord(options.count() - sent - records.size()));
    }
    // A message with many users' records has none.
    byte[] key = size == 1 ? keyOf(records.get(0)) : null;
    OutgoingMessage message =
        OutgoingMessage.of(options.format(), key, encoder.encode(records, sent), records);
    if (options.duplicates() > 0) {
      remember(message);
    }
    return message;
  }

  private void remember(OutgoingMessage message) {
    if (recent.size() < REMEMBERED_MESSAGES) {
      recent.add(message);
    } else {
      recent.set((int) (messages % REMEMBERED_MESSAGES), message);
    }
  }

  /** A late record that is due or for which there is just room left, else a new one. */
  private LocationRecord nextRecord(long room) {
    while (true) {
      HeldRecord first = held.peek();
      if (first != null && (held.size() >= room || first.releaseMillis() <= nextTimestampMillis)) {
        held.remove();
        return first.record();
      }
      LocationRecord record = newRecord();
      if (options.late() == 0 || random.nextDouble() >= options.late()) {
        return record;
      }
      long delayMillis = random.nextLong(1, MAX_DELAY.toMillis() + 1);
      held.add(new HeldRecord(record, record.timestampMillis() + delayMillis));
    }
  }

  private LocationRecord newRecord() {
    LocationRecord record = newRecordAtCell();
    // Without this condition, the same options would give other records than before.
    if (options.fixes() == 0 || random.nextDouble() >= options.fixes()) {
      return record;
    }
    Fix fix = newFix(map.cell(cellOfUser[lastUser]).position());
    boolean namesCell = random.nextBoolean();
    return new LocationRecord(
        record.user(),
        namesCell ? Place.of(record.cell(), record.radio(), fix) : Place.of(null, null, fix),
        record.timestampMillis());
  }

  /** A position near a cell's: of a satellite receiver, or a coarser one without an altitude. */
  private Fix newFix(Position cell) {
    Position position =
        new Position(near(cell.lon(), MAX_LONGITUDE), near(cell.lat(), MAX_LATITUDE));
    boolean isCoarse = random.nextDouble() < SHARE_OF_COARSE_FIXES;
    double accuracyMeters = random.nextInt(30, 500) / 10.0;
    return isCoarse
        ? new Fix(position, PositionSource.NETWORK, 20 * accuracyMeters, null, null)
        : new Fix(
            position, PositionSource.GNSS, accuracyMeters, random.nextInt(0, 3_000) / 10.0, null);
  }

  private double near(double degrees, double limit) {
    long away = random.nextLong(-MAX_MICRO_DEGREES, MAX_MICRO_DEGREES + 1);
    double found = Math.round(degrees * 1e6 + away) / 1e6;
    return Math.max(-limit, Math.min(limit, found));
  }

  private LocationRecord newRecordAtCell() {
    int user = activity.next(random);
    int cell = cellOfUser[user];
    if (cell == NOT_HEARD_YET) {
      cell = map.anyCell(random);
    } else if (random.nextDouble() < SHARE_THAT_MOVES) {
      cell = map.neighbourOf(cell, random);
    }
    cellOfUser[user] = cell;
    lastUser = user;
    CellSite known = map.cell(cell);
    LocationRecord record =
        new LocationRecord(Imei.ofDevice(user), known.cell(), known.radio(), nextTimestampMillis);
    nextTimestampMillis += intervalMillis;
    return encoder.asRead(record);
  }

  private static byte[] keyOf(LocationRecord record) {
    return record.user().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Selects the next reporting user. By Zipf's law, the user of rank r reports in proportion to 1 /
   * r^exponent. With exponent 0, users are uniformly distributed; 1 is usual for people.
   */
  static final class UserActivity {
    private final int users;

    /** The cumulative share up to each rank; null if users are uniformly distributed. */
    private final double @Nullable [] shares;

    UserActivity(int users, double exponent) {
      this.users = users;
      shares = exponent == 0 ? null : cumulativeShares(users, exponent);
    }

    private static double[] cumulativeShares(int users, double exponent) {
      double[] sums = new double[users];
      double sum = 0;
      for (int i = 0; i < users; i++) {
        sum += StrictMath.pow(i + 1.0, -exponent);
        sums[i] = sum;
      }
      for (int i = 0; i < users; i++) {
        sums[i] /= sum;
      }
      return sums;
    }

    /** A user from 0, the most active, to one less than the number of users. */
    int next(SplittableRandom random) {
      if (shares == null) {
        return random.nextInt(users);
      }
      int found = Arrays.binarySearch(shares, random.nextDouble());
      return Math.min(users - 1, found >= 0 ? found + 1 : -found - 1);
    }
  }
}
