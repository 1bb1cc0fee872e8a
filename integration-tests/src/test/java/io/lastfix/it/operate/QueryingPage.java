package io.lastfix.it.operate;

import io.lastfix.cluster.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The examples of the pages on positions and on export, as a reader copies them after the demo. */
final class QueryingPage {
  private static final List<String> PAGES = List.of("docs/ask/where.md", "docs/ask/export.md");
  private static final String INDENT = "    ";
  private static final Pattern AREA = Pattern.compile("    echo '(.+)' > (\\S+)");
  private static final Pattern MONGOSH =
      Pattern.compile("    db\\.(\\w+)\\.(find|aggregate)\\((.*)");

  /** What the page's own function of mongosh returns: the least _id of a time. */
  private static final Pattern LEAST_ID = Pattern.compile("at\\(\"([^\"]+)\"\\)");

  private final List<String> lines = new ArrayList<>();

  QueryingPage() throws IOException {
    for (String page : PAGES) {
      lines.addAll(Files.readAllLines(Installation.root().resolve(page)));
    }
  }

  /** The arguments of each {@code lastfix} command. */
  List<String[]> commands() {
    return lines.stream()
        .filter(line -> line.startsWith(INDENT + "lastfix "))
        // The test reads the output itself, also where the page sends it to a file.
        .map(line -> line.replaceFirst("#.*", "").replaceFirst("> \\S+ *$", "").strip().split(" +"))
        .map(words -> List.of(words).subList(1, words.length).toArray(String[]::new))
        .toList();
  }

  /** Writes the file of the area, as the page's {@code echo} does. */
  void writeArea(Path folder) throws IOException {
    for (String line : lines) {
      Matcher echo = AREA.matcher(line);
      if (echo.matches()) {
        Files.writeString(folder.resolve(echo.group(2)), echo.group(1));
      }
    }
  }

  /**
   * A query of mongosh.
   *
   * @param stages an aggregation; of {@code find} its filter alone
   */
  record Query(String line, String collection, List<BsonDocument> stages) {}

  /** The queries of mongosh. */
  List<Query> queries() {
    return lines.stream().map(MONGOSH::matcher).filter(Matcher::matches).map(this::query).toList();
  }

  /** As mongosh's {@code new Date} reads it: a date alone is its start in UTC. */
  private static Instant instant(String text) {
    return text.contains("T")
        ? OffsetDateTime.parse(text).toInstant()
        : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private Query query(Matcher line) {
    // The parsers stop behind the value: what follows may be anything.
    String arguments =
        LEAST_ID
            .matcher(line.group(3))
            .replaceAll(
                at ->
                    "HexData(0, \"%016x%024x\")".formatted(instant(at.group(1)).toEpochMilli(), 0));
    List<BsonDocument> stages;
    if (line.group(2).equals("aggregate")) {
      stages = BsonArray.parse(arguments).stream().map(BsonValue::asDocument).toList();
    } else {
      BsonDocument filter =
          arguments.startsWith("{") ? BsonDocument.parse(arguments) : new BsonDocument();
      stages = List.of(new BsonDocument("$match", filter));
    }
    return new Query(line.group().strip(), line.group(1), stages);
  }
}
