package io.lastfix.cli.rules;

import io.lastfix.operate.rules.RuleStore;
import io.lastfix.operate.rules.RuleStore.Change;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceReader;
import io.lastfix.rules.rule.RuleReader;
import io.lastfix.rules.text.Ids;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lastfix fence put}: stores a fence. */
@Command(
    name = "put",
    description = {
      "Checks a fence, and stores it as the next version of its id.",
      "An error has the file, the line and the column. The same fence is not stored again."
    },
    footer = "  lastfix fence put sfo sfo.geojson --radius 1500")
public final class FencePutCommand extends RulesChangeCommand {
  @Parameters(
      index = "0",
      paramLabel = "FENCE",
      description = "Id: a-z, 0-9 and dashes, 64 at most.")
  private String id = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description =
          "GeoJSON with the area: a Polygon, a MultiPolygon or a Point, or one Feature with it.")
  private Path file;

  @Option(
      names = "--radius",
      paramLabel = "METERS",
      description = "Radius around a Point (default: the Feature's property radius).")
  private @Nullable Double radius;

  private Fence fence;

  @Override
  boolean createsTopic() {
    return true;
  }

  @Override
  void check() {
    var unused = accepted("", () -> Ids.require(id));
    String text = text(file, FenceReader.MAX_LENGTH);
    try {
      fence = FenceReader.read(id, text, radius);
    } catch (TextException e) {
      throw failure(file, e);
    }
  }

  @Override
  int run(RuleStore store) throws IOException {
    Change change = store.putFence(fence);
    int exitCode =
        print(
            store,
            change,
            (change.written()
                    ? "The fence %s is stored as version %d"
                    : "The fence %s is stored already, as version %d")
                .formatted(id, change.version()));
    if (change.written()) {
      sayIfTooSmall(Map.of(fence, RuleReader.DEFAULT_CERTAINTY));
    }
    return exitCode;
  }
}
