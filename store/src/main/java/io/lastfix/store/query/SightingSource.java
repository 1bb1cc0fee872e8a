package io.lastfix.store.query;

import io.lastfix.model.Sighting;
import io.lastfix.store.history.HistoryPartition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The partitions of History, of which each gives what it holds of one subject. */
interface SightingSource {
  /** Those that can hold anything of that range. */
  List<HistoryPartition> partitions(TimeRange range);

  /** Asks one of them. */
  Rows open(HistoryPartition partition, TimeRange range, TimeOrder order);

  /** By time in the asked order; those of one moment in any order. */
  interface Rows extends AutoCloseable {
    /** The next record; null if there is none left. */
    @Nullable Row next();

    /** Whether an index led to them. */
    boolean byIndex();

    /** What the server did to give so many. */
    QueryPlan explain(int returned);

    @Override
    void close();
  }

  /**
   * One record.
   *
   * @param position among all others
   * @param sighting what it says
   */
  record Row(RecordPosition position, Sighting sighting) {}
}
