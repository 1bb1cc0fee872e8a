package io.lastfix.analytics.timeline;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.TripChange;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * The operators of density, flows, stays and trips, connected: the same in a stream and a batch.
 */
public final class Timelines {
  /** The length of the windows of density. */
  public static final Duration DENSITY_WINDOW = Duration.ofSeconds(10);

  private final SingleOutputStreamOperator<PlaceChange> changes;
  private final TimelineOptions options;
  private final int minimumGroup;

  /**
   * Adds the operator that all four need.
   *
   * @param records each once, with its timestamp
   * @param minimumGroup numbers of fewer devices are withheld
   */
  public Timelines(DataStream<LocatedRecord> records, TimelineOptions options, int minimumGroup) {
    this.options = options;
    this.minimumGroup = minimumGroup;
    this.changes =
        records
            .keyBy(LocatedRecord::user, Types.STRING)
            .process(new TimelineFunction(options), Types.POJO(PlaceChange.class))
            .uid("timeline")
            .name("timeline");
  }

  /** The devices at each place. */
  public SingleOutputStreamOperator<DensityCount> density() {
    return changes
        .keyBy(DensityFunction::key, Types.STRING)
        .process(
            new DensityFunction(DENSITY_WINDOW, minimumGroup, options),
            Types.POJO(DensityCount.class))
        .uid("count-density")
        .name("count density");
  }

  /** The moves between each two places by hour. */
  public SingleOutputStreamOperator<FlowCount> flows() {
    return changes
        .getSideOutput(TimelineFunction.FLOWS)
        .keyBy(FlowFunction::key, Types.STRING)
        .process(new FlowFunction(minimumGroup, options), Types.POJO(FlowCount.class))
        .uid("count-flows")
        .name("count flows");
  }

  /** The stays of each user; those of one user in their order. */
  public DataStream<StayChange> stays() {
    return changes.getSideOutput(TimelineFunction.STAYS);
  }

  /** The trips of each user; those of one user in their order. */
  public DataStream<TripChange> trips() {
    return changes.getSideOutput(TimelineFunction.TRIPS);
  }
}
