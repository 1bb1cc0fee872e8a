package io.lastfix.cli.partitions;

import io.lastfix.cli.output.Table;
import io.lastfix.store.history.PartitionStatistics;
import io.lastfix.store.history.PartitionStatistics.Entry;
import io.lastfix.store.history.PartitionStatistics.Figures;
import io.lastfix.store.history.PartitionStatisticsReader;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix partitions stats}: the content of each partition, and its location. */
@Command(
    name = "stats",
    description = {
      "Shows for each collection of History its records, bytes, indexes, and its oldest and newest"
          + " record. On a sharded cluster it adds each shard's share of the records.",
      "The servers estimate the numbers of records: after a crash these may be wrong, and on a"
          + " sharded cluster a moved document counts on both shards until one deletes it."
          + " --exact counts.",
      "The server aborts a single read after 60 s."
    },
    footer = "  lastfix partitions stats --exact")
public final class PartitionsStatsCommand extends PartitionCommand {
  @Option(
      names = "--exact",
      description =
          "Count the records one by one, which reads each partition's index. The shards' shares"
              + " stay estimates.")
  private boolean exact;

  @Override
  void run(Session session) {
    PartitionStatistics statistics =
        new PartitionStatisticsReader(session.client().getDatabase(session.database()))
            .read(session.partitions().list(), exact);
    print(statistics, List.of(table(statistics)));
  }

  static Table table(PartitionStatistics statistics) {
    Table table =
        new Table(
            "NAME",
            "FROM",
            "TO",
            statistics.estimated() ? "RECORDS (ESTIMATE)" : "RECORDS",
            "BYTES",
            "ON DISK",
            "INDEXES",
            "OLDEST",
            "NEWEST",
            "SHARDS");
    for (Entry entry : statistics.partitions()) {
      row(
          table,
          entry.name(),
          entry.from(),
          entry.to(),
          entry.figures(),
          entry.oldest(),
          entry.newest());
    }
    row(table, "total", "", "", statistics.total(), "", "");
    return table;
  }

  private static void row(
      Table table,
      String name,
      Object from,
      Object to,
      Figures figures,
      @Nullable Object oldest,
      @Nullable Object newest) {
    table.row(
        name,
        from,
        to,
        number(figures.records()),
        number(figures.bytes()),
        number(figures.storageBytes()),
        number(figures.indexBytes()),
        oldest,
        newest,
        figures.wordsOfShards());
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
