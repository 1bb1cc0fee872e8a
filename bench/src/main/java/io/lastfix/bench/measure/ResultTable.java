package io.lastfix.bench.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A table of figures, printed as text, as Markdown and as JSON. A cell is a text, a whole number,
 * or a number with its column's decimals. Null is a value that could not be measured.
 */
public final class ResultTable {
  private static final String UNKNOWN = "–";

  private final String name;
  private final String title;
  private final List<Column> columns;
  private final List<List<@Nullable Object>> rows = new ArrayList<>();

  /**
   * A column.
   *
   * @param key in JSON
   * @param heading with the unit
   * @param decimals of fractional numbers
   */
  public record Column(String key, String heading, int decimals) {}

  /**
   * @param name in JSON
   * @param title printed above it, with the conditions of the measurement
   */
  public ResultTable(String name, String title, Column... columns) {
    this.name = name;
    this.title = title;
    this.columns = List.of(columns);
  }

  /** The name in JSON. */
  public String name() {
    return name;
  }

  /** The heading for people. */
  public String title() {
    return title;
  }

  /** Adds a row with one cell a column. */
  public void row(@Nullable Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "expected %d cells, found %d".formatted(columns.size(), cells.length));
    }
    List<@Nullable Object> row = new ArrayList<>();
    Collections.addAll(row, cells);
    rows.add(row);
  }

  private String text(int column, @Nullable Object cell) {
    if (cell == null || (cell instanceof Double number && number.isNaN())) {
      return UNKNOWN;
    }
    if (cell instanceof Double number) {
      return String.format(Locale.ROOT, "%,." + columns.get(column).decimals() + "f", number);
    }
    return cell instanceof Number number
        ? String.format(Locale.ROOT, "%,d", number.longValue())
        : cell.toString();
  }

  private List<String> texts(List<@Nullable Object> row) {
    return IntStream.range(0, row.size()).mapToObj(i -> text(i, row.get(i))).toList();
  }

  /** The columns' headings, each with its unit. */
  public List<String> headings() {
    return columns.stream().map(Column::heading).toList();
  }

  /** The rows as texts, one for each column. */
  public List<List<String>> textRows() {
    return rows.stream().map(this::texts).toList();
  }

  /** The table as Markdown. */
  String toMarkdown() {
    StringBuilder markdown = new StringBuilder(title).append("\n\n");
    markdown.append(line(headings()));
    markdown.append(line(columns.stream().map(column -> "---").toList()));
    rows.forEach(row -> markdown.append(line(texts(row))));
    return markdown.toString();
  }

  private static String line(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** The rows, each an object by the columns' keys. */
  public ArrayNode toJson(ObjectMapper json) {
    ArrayNode array = json.createArrayNode();
    for (List<@Nullable Object> row : rows) {
      ObjectNode object = array.addObject();
      for (int i = 0; i < row.size(); i++) {
        Object cell = row.get(i);
        boolean isNumber = !(cell instanceof Double number) || Double.isFinite(number);
        object.set(columns.get(i).key(), json.valueToTree(isNumber ? cell : null));
      }
    }
    return array;
  }
}
