package io.lastfix.analytics.timeline;

import static io.lastfix.serialization.BinaryFormat.readText;
import static io.lastfix.serialization.BinaryFormat.readVarint32;
import static io.lastfix.serialization.BinaryFormat.readZigzag;
import static io.lastfix.serialization.BinaryFormat.writeText;
import static io.lastfix.serialization.BinaryFormat.writeVarint;
import static io.lastfix.serialization.BinaryFormat.writeZigzag;

import io.lastfix.analytics.timeline.Track.LastStay;
import io.lastfix.analytics.timeline.Track.Move;
import io.lastfix.analytics.timeline.Track.Visit;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * Layout of version 1: varint number of places, text for each; a place below is varint its number +
 * 1, or 0 for none. Zigzag watermark; relative to it zigzag timer. Then the track of cells and that
 * of areas, each as
 *
 * <ul>
 *   <li>varint index of the first record it leaves out
 *   <li>visit: place; if there is one, zigzag begin relative to the watermark, zigzag last relative
 *       to begin
 *   <li>last stay: place; if there is one, zigzag end relative to the watermark, varint via
 *   <li>varint number of moves; for each zigzag hours since 1970, place, place, varint count
 * </ul>
 *
 * Then varint number of records; for each zigzag timestamp relative to the one before it (the first
 * one: to the watermark), 8 and 4 bytes of hash, place by cell, place by area. Differences wrap
 * around.
 *
 * @see io.lastfix.serialization.BinaryFormat
 */
final class TimelineSerializer extends VersionedSerializer<Timeline> {
  static final int VERSION = 1;

  /** Reads the newest version. */
  TimelineSerializer() {
    super(VERSION, Snapshot::new);
  }

  @Override
  protected void write(Timeline timeline, DataOutputView target) throws IOException {
    Map<String, Integer> places = numbered(timeline);
    writeVarint(places.size(), target);
    for (String place : places.keySet()) {
      writeText(place, target);
    }
    long watermark = timeline.watermark();
    writeZigzag(watermark, target);
    writeZigzag(timeline.timerMillis() - watermark, target);
    writeVarint(timeline.cellsFrom(), target);
    writeTrack(timeline.cells(), watermark, places, target);
    writeVarint(timeline.areasFrom(), target);
    writeTrack(timeline.areas(), watermark, places, target);
    writeVarint(timeline.records().size(), target);
    long before = watermark;
    for (TimelineRecord record : timeline.records()) {
      writeZigzag(record.timestampMillis() - before, target);
      target.writeLong(record.hashHigh());
      target.writeInt(record.hashLow());
      writePlace(record.cell(), places, target);
      writePlace(record.area(), places, target);
      before = record.timestampMillis();
    }
  }

  private static void writeTrack(
      Track track, long watermark, Map<String, Integer> places, DataOutputView target)
      throws IOException {
    Visit visit = track.visit();
    writePlace(visit == null ? null : visit.place(), places, target);
    if (visit != null) {
      writeZigzag(visit.beginMillis() - watermark, target);
      writeZigzag(visit.lastMillis() - visit.beginMillis(), target);
    }
    LastStay stay = track.lastStay();
    writePlace(stay == null ? null : stay.place(), places, target);
    if (stay != null) {
      writeZigzag(stay.endMillis() - watermark, target);
      writeVarint(stay.via(), target);
    }
    writeVarint(track.moves().size(), target);
    for (Map.Entry<Move, Integer> entry : track.moves().entrySet()) {
      Move move = entry.getKey();
      writeZigzag(Math.floorDiv(move.hourMillis(), TrackWalk.HOUR_MILLIS), target);
      writePlace(move.from(), places, target);
      writePlace(move.to(), places, target);
      writeVarint(entry.getValue(), target);
    }
  }

  private static void writePlace(
      @Nullable String place, Map<String, Integer> places, DataOutputView target)
      throws IOException {
    writeVarint(place == null ? 0 : places.getOrDefault(place, 0) + 1, target);
  }

  /** Returns all places, with their numbers in the order of the map. */
  private static Map<String, Integer> numbered(Timeline timeline) {
    Map<String, Integer> places = new LinkedHashMap<>();
    for (Track track : List.of(timeline.cells(), timeline.areas())) {
      Visit visit = track.visit();
      add(visit == null ? null : visit.place(), places);
      LastStay stay = track.lastStay();
      add(stay == null ? null : stay.place(), places);
      for (Move move : track.moves().keySet()) {
        add(move.from(), places);
        add(move.to(), places);
      }
    }
    for (TimelineRecord record : timeline.records()) {
      add(record.cell(), places);
      add(record.area(), places);
    }
    return places;
  }

  private static void add(@Nullable String place, Map<String, Integer> places) {
    if (place != null) {
      places.putIfAbsent(place, places.size());
    }
  }

  @Override
  protected Timeline read(DataInputView source, int version) throws IOException {
    String[] places = new String[readVarint32(source)];
    for (int i = 0; i < places.length; i++) {
      places[i] = readText(source);
    }
    long watermark = readZigzag(source);
    long timerMillis = watermark + readZigzag(source);
    int cellsFrom = readVarint32(source);
    Track cells = readTrack(watermark, places, source);
    int areasFrom = readVarint32(source);
    Track areas = readTrack(watermark, places, source);
    int count = readVarint32(source);
    List<TimelineRecord> records = new ArrayList<>(count);
    long before = watermark;
    for (int i = 0; i < count; i++) {
      long timestampMillis = before + readZigzag(source);
      long hashHigh = source.readLong();
      int hashLow = source.readInt();
      String cell = readPlace(places, source);
      String area = readPlace(places, source);
      records.add(new TimelineRecord(timestampMillis, hashHigh, hashLow, cell, area));
      before = timestampMillis;
    }
    return new Timeline(watermark, timerMillis, cells, cellsFrom, areas, areasFrom, records);
  }

  private static Track readTrack(long watermark, String[] places, DataInputView source)
      throws IOException {
    String place = readPlace(places, source);
    Visit visit = null;
    if (place != null) {
      long beginMillis = watermark + readZigzag(source);
      visit = new Visit(place, beginMillis, beginMillis + readZigzag(source));
    }
    String stayPlace = readPlace(places, source);
    LastStay stay = null;
    if (stayPlace != null) {
      long endMillis = watermark + readZigzag(source);
      stay = new LastStay(stayPlace, endMillis, readVarint32(source));
    }
    int count = readVarint32(source);
    Map<Move, Integer> moves = new HashMap<>();
    for (int i = 0; i < count; i++) {
      long hourMillis = readZigzag(source) * TrackWalk.HOUR_MILLIS;
      String from = places[readVarint32(source) - 1];
      String to = places[readVarint32(source) - 1];
      moves.put(new Move(hourMillis, from, to), readVarint32(source));
    }
    return new Track(visit, stay, Map.copyOf(moves));
  }

  private static @Nullable String readPlace(String[] places, DataInputView source)
      throws IOException {
    int number = readVarint32(source);
    return number == 0 ? null : places[number - 1];
  }

  @Override
  public Timeline createInstance() {
    return Timeline.EMPTY;
  }

  /** Savepoints contain this class name: do not rename it. */
  public static final class Snapshot extends VersionedSnapshot<Timeline> {
    /** Called by Flink. */
    public Snapshot() {
      super(TimelineSerializer::new);
    }
  }
}
