package io.lastfix.operate.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Sighting;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.query.LastKnownLocation;
import io.lastfix.store.query.SightingJson;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.CountQueries.GroupSum;
import io.lastfix.store.query.numbers.LateRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the demo did, and what its user can do next.
 *
 * @param summary the account of the records
 * @param relocated records that got a position later; empty if no slot was free
 * @param devices where some taxis were last seen
 * @param counted the time of the busiest cells
 * @param busiest the cells with the most records, the busiest first; empty if nothing counts
 * @param isCounted whether the numbers are complete
 * @param late what came too late for the stream and is not in the numbers
 * @param alerts how often a taxi left the airport; empty if nothing judges
 * @param console the map's address; empty if the local stack has none
 * @param isDriving whether the taxis drive on
 */
public record DemoResult(
    DemoSummary summary,
    OptionalLong relocated,
    List<LastKnownLocation> devices,
    TimeRange counted,
    List<GroupSum> busiest,
    boolean isCounted,
    LateRecords late,
    OptionalLong alerts,
    Optional<String> console,
    boolean isDriving) {

  /**
   * Eleven lines.
   *
   * @param lastfix how the user called this command
   */
  public String toText(String lastfix) {
    List<String> lines = new ArrayList<>(summary.lines());
    relocated.ifPresent(
        records ->
            lines.add(
                line("Positions", "%,d more, of cells that were loaded later".formatted(records))));
    Optional<GroupSum> ofCell =
        busiest.stream().filter(cell -> !cell.key().equals(CountBy.NONE)).findFirst();
    if (ofCell.isPresent()) {
      GroupSum first = ofCell.get();
      lines.add(
          line(
              "Busiest cell",
              "%s, %,d records from %s to %s%s"
                  .formatted(
                      first.key(),
                      first.n(),
                      counted.from(),
                      counted.to(),
                      isCounted ? "" : ", counted so far")));
    }
    String user = "USER";
    if (!devices.isEmpty()) {
      Sighting last = devices.get(0).last();
      user = last.user();
      lines.add(line("Last seen", "taxi %s, %s".formatted(user, place(last))));
    }
    alerts.ifPresent(
        count ->
            lines.add(
                line(
                    "Alerts",
                    "%,d departures from the airport: %s alerts; also: alerts --follow"
                        .formatted(count, lastfix))));
    console.ifPresent(
        it ->
            lines.add(
                line("Map", it + "/" + (isDriving ? "  (the taxis drive on, as if today)" : ""))));
    lines.add(
        line("Ask", "%1$s where %2$s; also: history %2$s, counts --plot".formatted(lastfix, user)));
    lines.add(line("Watch", lastfix + " top; also: status"));
    lines.add(
        line("Keep running", "%s supervise --config config/%s".formatted(lastfix, DemoRun.CONFIG)));
    lines.add(line("Stop", lastfix + " down"));
    return String.join("\n", lines);
  }

  private static String place(Sighting last) {
    return last.position() == null
        ? last.timestamp().toString()
        : String.format(
            Locale.ROOT,
            "%s, at %.5f, %.5f",
            last.timestamp(),
            last.position().lat(),
            last.position().lon());
  }

  static String line(String what, String text) {
    return "%-14s%s".formatted(what, text);
  }

  /** Returns the result as {@code lastfix demo --json} prints it. */
  public ObjectNode toJson() {
    ObjectNode node = summary.toJson();
    relocated.ifPresent(records -> node.put("relocated", records));
    ArrayNode array = node.putArray("lastKnownLocation");
    devices.forEach(device -> array.add(SightingJson.of(device)));
    node.put("isCounted", isCounted);
    ArrayNode cells = node.putArray("busiestCells");
    busiest.forEach(cell -> cells.addObject().put("k", cell.key()).put("n", cell.n()));
    late.addTo(node);
    alerts.ifPresent(count -> node.put("alerts", count));
    console.ifPresent(address -> node.put("console", address));
    return node;
  }
}
