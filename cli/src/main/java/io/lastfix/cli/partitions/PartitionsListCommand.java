package io.lastfix.cli.partitions;

import io.lastfix.cli.output.Table;
import io.lastfix.store.history.PartitionList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code lastfix partitions list}: lists the partitions. */
@Command(
    name = "list",
    description = "Lists the collections of History, the oldest first.",
    footer = "  lastfix partitions list")
public final class PartitionsListCommand extends PartitionCommand {
  @Override
  void run(Session session) {
    PartitionList list =
        PartitionList.of(
            session.database(),
            session.config().history(),
            session.partitions().list(),
            session.now());
    Table table = new Table("NAME", "FROM", "TO", "STATE");
    list.partitions()
        .forEach(entry -> table.row(entry.name(), entry.from(), entry.to(), entry.state().words()));
    print(list, List.of(table));
    if (!isJson() && !list.view().isEmpty() && list.inView() < list.partitions().size()) {
      say(
          "The view %s shows the newest %d of %d: a MongoDB view cannot read more",
          list.view(), list.inView(), list.partitions().size());
    }
  }
}
