package io.lastfix.analytics.timeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.serialization.LocatedRecordSerializer;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.TripChange;
import io.lastfix.store.timeline.WindowState;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Some taxis of the sample, shuffled, with 5 % of the records late: both execution modes store what
 * {@link BruteForce} says.
 */
class TaxiTimelineTest {
  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  private static final Path SAMPLE = Path.of("..", "config", "sample");
  private static final TypeInformation<LocatedRecord> LOCATED =
      new VersionedTypeInformation<>(LocatedRecord.class, new LocatedRecordSerializer());
  private static final int TAXIS = 20;
  private static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();

  /** How long records of a shuffled stream wait for others at most. */
  private static final Duration DISORDER = Duration.ofMinutes(2);

  private static List<LocatedRecord> records = List.of();
  private static BruteForce expected = new BruteForce(List.of());

  private record Tower(CellId cell, Position position) {}

  @BeforeAll
  static void read() throws IOException {
    List<Tower> towers = new ArrayList<>();
    for (String[] row : rows("san-francisco-cells.csv.gz")) {
      towers.add(
          new Tower(
              new CellId(
                  Integer.parseInt(row[1]),
                  Integer.parseInt(row[2]),
                  Integer.parseInt(row[3]),
                  Long.parseLong(row[4])),
              new Position(Double.parseDouble(row[6]), Double.parseDouble(row[7]))));
    }
    List<String[]> rows = rows("cabspotting-slice.csv.gz");
    TreeSet<String> taxis = new TreeSet<>();
    rows.forEach(row -> taxis.add(row[0]));
    List<String> chosen = taxis.stream().limit(TAXIS).toList();
    records =
        rows.stream()
            .filter(row -> chosen.contains(row[0]))
            .map(
                row -> {
                  Tower tower =
                      nearest(
                          towers,
                          new Position(Double.parseDouble(row[2]), Double.parseDouble(row[1])));
                  return new LocatedRecord(
                      row[0], tower.cell(), Long.parseLong(row[4]) * 1_000, tower.position());
                })
            .toList();
    expected = new BruteForce(records);
    assertThat(records).hasSizeGreaterThan(10_000);
    assertThat(expected.density).isNotEmpty();
    assertThat(expected.flows).isNotEmpty();
    assertThat(expected.stays).isNotEmpty();
    assertThat(expected.trips).isNotEmpty();
  }

  private static List<String[]> rows(String file) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(SAMPLE.resolve(file))), UTF_8))) {
      return reader.lines().skip(1).map(line -> line.split(",", -1)).toList();
    }
  }

  private static Tower nearest(List<Tower> towers, Position position) {
    return towers.stream()
        .min(
            Comparator.comparingDouble(
                tower ->
                    Math.pow(tower.position().lat() - position.lat(), 2)
                        + Math.pow((tower.position().lon() - position.lon()) * 0.79, 2)))
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(
      value = RuntimeExecutionMode.class,
      names = {"STREAMING", "BATCH"})
  void bothModesStoreWhatTheBruteForceSays(RuntimeExecutionMode mode) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setRuntimeMode(mode);
    env.setParallelism(2);
    TimelineOptions options = TimelineOptions.defaults();

    SingleOutputStreamOperator<PlaceChange> places =
        env.fromData(arrivals(), LOCATED)
            .setParallelism(1)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<LocatedRecord>forGenerator(context -> new Behind())
                    .withTimestampAssigner((record, before) -> record.timestampMillis()))
            .setParallelism(1)
            .keyBy(LocatedRecord::user, Types.STRING)
            .process(new TimelineFunction(options), Types.POJO(PlaceChange.class));
    DataStream<DensityCount> density =
        places
            .keyBy(DensityFunction::key, Types.STRING)
            .process(
                new DensityFunction(TimelineHarness.WINDOW, 0, options),
                Types.POJO(DensityCount.class));
    DataStream<FlowCount> flows =
        places
            .getSideOutput(TimelineFunction.FLOWS)
            .keyBy(FlowFunction::key, Types.STRING)
            .process(new FlowFunction(0, options), Types.POJO(FlowCount.class));
    keep(density, Types.POJO(DensityCount.class));
    keep(flows, Types.POJO(FlowCount.class));
    keep(places.getSideOutput(TimelineFunction.STAYS), Types.POJO(StayChange.class));
    keep(places.getSideOutput(TimelineFunction.TRIPS), Types.POJO(TripChange.class));
    KEPT.clear();
    env.execute();

    if (mode == RuntimeExecutionMode.STREAMING) {
      assertThat(kept(StayChange.class)).as("late records").anyMatch(StayChange::isDeleted);
    }
    Collected collected = new Collected();
    kept(StayChange.class)
        .forEach(change -> collected.of(change.user()).stay(change.stay(), change.isDeleted()));
    kept(TripChange.class)
        .forEach(change -> collected.of(change.user()).trip(change.trip(), change.isDeleted()));
    assertThat(collected.stays()).containsExactlyElementsOf(expected.stays);
    assertThat(collected.trips()).containsExactlyElementsOf(expected.trips);
    assertThat(
            stored(
                kept(DensityCount.class),
                count -> count.by().text() + " " + count.place() + " " + count.windowMillis(),
                DensityCount::devices,
                DensityCount::state))
        .isEqualTo(expected.density);
    assertThat(
            stored(
                kept(FlowCount.class),
                count ->
                    String.join(
                        " ", count.by().text(), count.from(), count.to(), "" + count.hourMillis()),
                count -> count.moves() + "/" + count.devices(),
                FlowCount::state))
        .isEqualTo(expected.flows);
  }

  /** A watermark with every few records, not with the clock: so late records are late each time. */
  private static final class Behind implements WatermarkGenerator<LocatedRecord> {
    private long greatest = Long.MIN_VALUE;
    private int records;

    @Override
    public void onEvent(LocatedRecord record, long timestamp, WatermarkOutput output) {
      greatest = Math.max(greatest, timestamp);
      if (++records % 10 == 0) {
        output.emitWatermark(new Watermark(greatest - DISORDER.toMillis() - 1));
      }
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  /** Out of order by up to two minutes; every 20th record by up to an hour more. */
  private static List<LocatedRecord> arrivals() {
    Random random = new Random(18);
    TreeMap<Long, List<LocatedRecord>> arrivals = new TreeMap<>();
    for (LocatedRecord record : records) {
      long delay =
          random.nextInt(20) == 0
              ? random.nextLong(Duration.ofHours(1).toMillis())
              : random.nextLong(DISORDER.toMillis());
      arrivals
          .computeIfAbsent(record.timestampMillis() + delay, at -> new ArrayList<>())
          .add(record);
    }
    return arrivals.values().stream().flatMap(List::stream).toList();
  }

  /** Keeps results in their order by key. The cluster runs in this JVM. */
  private static <T> void keep(DataStream<T> results, TypeInformation<T> type) {
    results
        .map(
            result -> {
              KEPT.add(result);
              return result;
            },
            type)
        .sinkTo(new DiscardingSink<>());
  }

  private static <T> List<T> kept(Class<T> type) {
    return KEPT.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static <C, V> Map<String, V> stored(
      List<C> counts,
      Function<C, String> id,
      Function<C, V> value,
      Function<C, WindowState> state) {
    Map<String, V> stored = new TreeMap<>();
    counts.forEach(
        count -> {
          if (state.apply(count) == WindowState.DELETED) {
            stored.remove(id.apply(count));
          } else {
            stored.put(id.apply(count), value.apply(count));
          }
        });
    return stored;
  }
}
