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

/**
 * The examples for other programs than {@code lastfix} in the pages on positions and on export, as
 * a reader copies them after the demo.
 */
final class QueryingPage {
  private static final List<String> PAGES = List.of("docs/ask/where.md", "docs/ask/export.md");
  private static final Pattern AREA = Pattern.compile("    echo '(.+)' > (\\S+)");
  private static final Pattern CURL = Pattern.compile("    curl 'http://[^/]+(/.+)'");
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

  /** The path and the parameters of each address of the console for curl. */
  List<String> addresses() {
    return lines.stream()
        .map(CURL::matcher)
        .filter(Matcher::matches)
        .map(line -> line.group(1))
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
