package io.lastfix.operate.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.store.alerts.AlertQueries;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Alerts as rows to print.
 *
 * @param rows the newest, from old to new
 * @param more whether there are older ones
 * @param skipped a line about each document that is no alert, without the user
 */
public record AlertRows(List<ObjectNode> rows, boolean more, List<String> skipped) {
  /** The most rows: all are held in memory, since they are read from new to old. */
  public static final int MAX = 100_000;

  /** The fields that are enough for a person. */
  public static final List<String> SHORT =
      List.of("at", "user", "rule", "kind", "fence", "lon", "lat", "counted", "confirmed");

  /** The other fields of a row that is not nested. */
  public static final List<String> FURTHER =
      List.of(
          "id",
          "v",
          "cause",
          "cell",
          "src",
          "acc",
          "certainty",
          "then",
          "ackAt",
          "ackBy",
          "ackNote");

  /** No rows. */
  public static final AlertRows NONE = new AlertRows(List.of(), false, List.of());

  /**
   * Reads the newest alerts of a range.
   *
   * @param limit how many at most, from 1 to {@link #MAX}
   * @param isNested as for {@link #row}
   */
  public static AlertRows newest(
      AlertQueries queries, Selection selection, TimeRange range, int limit, boolean isNested) {
    List<String> skipped = new ArrayList<>();
    List<StoredAlert> found =
        queries.read(selection, range, TimeOrder.NEWEST_FIRST, limit + 1, skipped::add);
    List<ObjectNode> rows = new ArrayList<>();
    found.stream().limit(limit).forEach(alert -> rows.add(row(alert, isNested)));
    Collections.reverse(rows);
    return new AlertRows(rows, found.size() + skipped.size() > limit, skipped);
  }

  /**
   * Returns an alert as a row.
   *
   * @param isNested whether it is the message of the topic, with {@code ack} if it is acknowledged;
   *     otherwise each field is a text or a number
   */
  public static ObjectNode row(StoredAlert stored, boolean isNested) {
    Alert alert = stored.alert();
    ObjectNode row = AlertCodec.json(alert);
    if (isNested) {
      stored
          .acknowledgement()
          .ifPresent(
              ack -> {
                ObjectNode node =
                    row.putObject("ack").put("at", ack.at().toString()).put("by", ack.by());
                if (ack.note() != null) {
                  node.put("note", ack.note());
                }
              });
      return row;
    }
    row.remove("loc");
    Position position = alert.position();
    if (position != null) {
      row.put("lon", position.lon()).put("lat", position.lat());
    }
    row.put(
        "then",
        alert.then().stream()
            .map(action -> action.kind().text() + " " + action.target())
            .collect(Collectors.joining(", ")));
    stored
        .acknowledgement()
        .ifPresent(
            ack ->
                row.put("ackAt", ack.at().toString())
                    .put("ackBy", ack.by())
                    .put("ackNote", ack.note()));
    return row;
  }
}
