package io.lastfix.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/** {@code docs/reference/collections.md}, as far as tests compare it with the code. */
public final class CollectionsPage {
  private static final String TEXT = read();

  private static final Pattern IN_BACKTICKS = Pattern.compile("`([^`]+)`");

  /** What stands for a field's value in an outline. */
  private static final Pattern VALUE = Pattern.compile(": (\"[^\"]*\"|\\[?\\w+]?)(?=[,}])");

  private CollectionsPage() {}

  private static String read() {
    try {
      return "\n" + Files.readString(Path.of("..", "docs", "reference", "collections.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the text below a heading, which begins with its hashes, up to the next section. */
  public static String section(String heading) {
    String start = "\n" + heading + "\n";
    assertThat(TEXT).contains(start);
    String after = TEXT.substring(TEXT.indexOf(start) + start.length());
    return after.split("\n## ", -1)[0];
  }

  /** Returns the rows of a section's table, as their cells. The first table is table 0. */
  public static List<List<String>> rows(String heading, int table) {
    List<String> tables =
        Arrays.stream(section(heading).split("\n\n", -1))
            .map(String::strip)
            .filter(block -> block.startsWith("|"))
            .toList();
    return tables
        .get(table)
        .lines()
        // The heads of the columns, and the line below them.
        .skip(2)
        .map(row -> Arrays.stream(row.split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(1, cells.size() - 1))
        .toList();
  }

  /** Returns what a text has in backticks. */
  public static List<String> names(String text) {
    return IN_BACKTICKS.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /** Returns the names that a table has in its first column. */
  public static List<String> fields(String heading, int table) {
    return rows(heading, table).stream().flatMap(cells -> names(cells.get(0)).stream()).toList();
  }

  /** Returns the outlines of a collection's documents in the first table, without values. */
  public static List<String> outlines(String collection) {
    return rows("# MongoDB collections", 0).stream()
        .filter(cells -> names(cells.get(0)).contains(collection))
        .flatMap(cells -> names(cells.get(1)).stream())
        .filter(name -> name.startsWith("{"))
        .map(CollectionsPage::withoutValues)
        .toList();
  }

  /** Returns an outline such as {@code {_id: user, last: {ts, cell}}} without its values. */
  public static String withoutValues(String outline) {
    return VALUE.matcher(outline.replaceAll("\\s+", " ")).replaceAll("");
  }

  /** Returns the outline of a document: its fields in their order, without values. */
  public static String outline(BsonDocument document) {
    return document.entrySet().stream()
        .map(
            field ->
                field.getValue().isDocument()
                    ? field.getKey() + ": " + outline(field.getValue().asDocument())
                    : field.getKey())
        .collect(Collectors.joining(", ", "{", "}"));
  }
}
