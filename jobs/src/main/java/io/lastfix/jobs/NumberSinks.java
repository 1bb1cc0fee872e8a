package io.lastfix.jobs;

import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.sink.NumberSink;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.timeline.DensityConverter;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowConverter;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.LateConverter;
import io.lastfix.store.timeline.LateCount;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.StayConverter;
import io.lastfix.store.timeline.TripChange;
import io.lastfix.store.timeline.TripConverter;
import java.time.Instant;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Where the numbers of a job go. A test replaces them.
 *
 * @param counts receives each count
 * @param density receives each result; the last one of an {@code _id} wins, as for those that
 *     follow
 * @param late receives how many records came too late; only from a stream
 */
public record NumberSinks(
    Sink<WindowCount> counts,
    Sink<DensityCount> density,
    Sink<FlowCount> flows,
    Sink<StayChange> stays,
    Sink<TripChange> trips,
    Sink<LateCount> late) {

  /** The collections, with the states of a stream. */
  static NumberSinks ofStream(LocationJobConfig config) {
    return of(config, false, StayConverter.ofStream());
  }

  /**
   * The collections, with the state of results of History.
   *
   * @param knownUntil {@link StayConverter#ofHistory}
   */
  static NumberSinks ofHistory(LocationJobConfig config, Instant knownUntil) {
    return of(config, true, StayConverter.ofHistory(knownUntil.toEpochMilli()));
  }

  private static NumberSinks of(
      LocationJobConfig config, boolean isOfHistory, StayConverter stays) {
    AnalyticsOptions options = config.analytics();
    NumberSink.Server server =
        new NumberSink.Server(
            config.historyMongo(),
            config.historyBulks(),
            config.provision(),
            config.history().retention());
    // A record can be late by years, and the collection of its time is missing then. That must not
    // fail the job, nor may a collection that a job with other rights has created. It is small: it
    // needs neither shards nor an index.
    NumberSink.Server unchecked =
        new NumberSink.Server(
            server.mongo(), server.bulks(), ProvisionMode.OFF, server.retention());
    return new NumberSinks(
        NumberSink.ofCounts(server, options.collections(NumberKind.COUNTS)),
        NumberSink.ofResults(
            server, options.collections(NumberKind.DENSITY), new DensityConverter(isOfHistory)),
        NumberSink.ofResults(
            server, options.collections(NumberKind.FLOWS), new FlowConverter(isOfHistory)),
        ErasureFilterSink.ofStays(
            NumberSink.ofResults(server, options.collections(NumberKind.STAYS), stays),
            config.erasureList()),
        ErasureFilterSink.ofTrips(
            NumberSink.ofResults(
                server, options.collections(NumberKind.TRIPS), new TripConverter(isOfHistory)),
            options.timeline().absence(),
            config.erasureList()),
        NumberSink.ofResults(unchecked, options.lateRecords(), new LateConverter()));
  }
}
