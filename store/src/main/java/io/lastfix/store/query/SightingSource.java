package io.lastfix.store.query;

import io.lastfix.model.CellId;
import io.lastfix.model.Sighting;
import io.lastfix.store.history.HistoryPartition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The partitions of History, each with its records of one subject. */
interface SightingSource {
  /** Returns the partitions that can contain records of the range. */
  List<HistoryPartition> partitions(TimeRange range);

  /** Queries one partition. */
  Rows open(HistoryPartition partition, TimeRange range, TimeOrder order);

  /** Rows in the requested time order; the order within one timestamp is undefined. */
  interface Rows extends AutoCloseable {
    /** Returns the next record; null if there is none. */
    @Nullable Row next();

    /** Returns true if the query used an index. */
    boolean byIndex();

    /** Returns the server's query plan for that number of records. */
    QueryPlan explain(int returned);

    @Override
    void close();
  }

  /**
   * One record.
   *
   * @param position its position in the order of all records
   * @param sighting its content
   */
  record Row(RecordPosition position, Sighting sighting) {}

  /**
   * The user or cell that a query of History selects, or all of it.
   *
   * @param field field of History's documents; empty for all records
   * @param value required value
   */
  record Subject(String field, String value) {
    static final Subject ALL = new Subject("", "");

    static Subject user(String user) {
      return new Subject("user", user);
    }

    static Subject cell(CellId cell) {
      return new Subject("cell", cell.toString());
    }
  }
}
