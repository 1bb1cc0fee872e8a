package io.lastfix.jobs;

import io.lastfix.jobs.config.AnalyticsOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.privacy.ErasureFilterSink;
import io.lastfix.sink.NumberSink;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.LateCount;
import io.lastfix.store.timeline.ResultConverter;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.TripChange;
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
    return of(config, ResultConverter.ofStream());
  }

  /**
   * The collections, with the state of results of History.
   *
   * @param knownUntil {@link ResultConverter#ofHistory}
   */
  static NumberSinks ofHistory(LocationJobConfig config, Instant knownUntil) {
    return of(config, ResultConverter.ofHistory(knownUntil));
  }

  private static NumberSinks of(LocationJobConfig config, ResultConverter converter) {
    AnalyticsOptions options = config.analytics();
    NumberSink.Server server = server(config);
    return new NumberSinks(
        NumberSink.ofCounts(server, options.collections(NumberKind.COUNTS)),
        NumberSink.ofResults(server, options.collections(NumberKind.DENSITY), converter),
        NumberSink.ofResults(server, options.collections(NumberKind.FLOWS), converter),
        new ErasureFilterSink<>(
            NumberSink.ofResults(server, options.collections(NumberKind.STAYS), converter),
            ErasureFilterSink.STAY,
            config.erasureList()),
        new ErasureFilterSink<>(
            NumberSink.ofResults(server, options.collections(NumberKind.TRIPS), converter),
            ErasureFilterSink.trip(options.timeline().absence().toMillis()),
            config.erasureList()),
        NumberSink.ofResults(unchecked(server), options.lateRecords(), ResultConverter.ofStream()));
  }

  /** Where the collections of all periods are. */
  static NumberSink.Server server(LocationJobConfig config) {
    return new NumberSink.Server(
        config.historyMongo(),
        config.historyBulks(),
        config.provision(),
        config.history().retention());
  }

  /**
   * A record can be late by years, and the collection of its time is missing then. That must not
   * fail the job, nor may a collection that a job with other rights has created. It is small: it
   * needs neither shards nor an index.
   */
  private static NumberSink.Server unchecked(NumberSink.Server server) {
    return new NumberSink.Server(
        server.mongo(), server.bulks(), ProvisionMode.OFF, server.retention());
  }
}
