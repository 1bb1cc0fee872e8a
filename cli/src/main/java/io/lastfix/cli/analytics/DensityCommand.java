package io.lastfix.cli.analytics;

import static io.lastfix.cli.analytics.NumbersForm.column;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.cli.analytics.NumbersForm.Column;
import io.lastfix.cli.common.QuerySession;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.query.ResultQueries;
import io.lastfix.store.query.ResultQueries.Completeness;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.ResultState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix density}: shows how many devices were at each place. */
@Command(
    name = "density",
    description = {
      "Shows how many devices are at each place, those with the most first, at the end of the newest"
          + " window with a change, or at a given time. With --from, --to or --last: each window of"
          + " ten seconds in which the number of a place changed.",
      "The analytics job computes them (lastfix submit analytics); lastfix analyze density computes"
          + " them again from History. 'open' numbers still change; 'closed' ones only if a record"
          + " comes late, by up to an hour; 'batch' ones are History's. A place with fewer devices"
          + " than analytics.minimum-group, or none, has no number: it is withheld."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:found", "1:failed", "2:wrong usage", "3:no results in that time"})
public final class DensityCommand extends ResultsCommand {
  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "The numbers at this time (default: the end of the newest window).")
  private @Nullable Instant at;

  @Option(
      names = "--look-back",
      paramLabel = "DURATION",
      defaultValue = "24h",
      description =
          "How far back the command looks for the last change of a place. A place whose number did"
              + " not change for longer is left out (default: ${DEFAULT-VALUE}).")
  private String lookBack = "";

  /** Called by picocli. */
  public DensityCommand() {
    super(
        NumberKind.DENSITY,
        List.of(
            new Column("w", "WINDOW"),
            new Column("k", "PLACE"),
            new Column("n", "DEVICES"),
            column("state")),
        List.of("k"));
  }

  @Override
  int show(QuerySession session, PlaceKind place) throws IOException {
    if (isRangeGiven()) {
      if (at != null) {
        throw usageError("--at: expected no --from, --to or --last beside it");
      }
      return super.show(session, place);
    }
    Duration back = duration("--look-back", lookBack);
    ResultQueries queries = session.results();
    Optional<Instant> instant =
        Optional.ofNullable(at)
            .or(
                () ->
                    queries
                        .newest(NumberKind.DENSITY)
                        .map(newest -> newest.plusMillis(WindowCount.WINDOW_MILLIS)));
    if (instant.isEmpty()) {
      return none();
    }
    List<Document> levels = queries.levels(instant.get(), back, place);
    List<Document> shown = levels.stream().filter(level -> !isNobody(level)).toList();
    print(
        shown.subList(0, Math.min(limit() + 1, shown.size())),
        completeness(shown),
        JsonNodeFactory.instance
            .objectNode()
            .put("at", instant.get().toString())
            .put("lookBackSeconds", back.toSeconds())
            .put("by", place.text()));
    if (shown.isEmpty()) {
      err()
          .println(
              "No density by %s at %s, and no change in the %s before"
                  .formatted(place.text(), instant.get(), lookBack));
      return NOT_FOUND;
    }
    return 0;
  }

  private static boolean isNobody(Document level) {
    return level.getInteger("n", -1) == 0;
  }

  private static Completeness completeness(List<Document> levels) {
    return new Completeness(
        levels.size(),
        levels.stream().filter(it -> is(it, ResultState.OPEN)).count(),
        levels.stream().filter(it -> is(it, ResultState.BATCH)).count(),
        levels.stream().filter(it -> it.containsKey("withheld")).count());
  }

  private static boolean is(Document level, ResultState state) {
    return ResultQueries.state(level).equals(state.text());
  }
}
