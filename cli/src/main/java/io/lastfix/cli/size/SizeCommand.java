package io.lastfix.cli.size;

import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.output.Table;
import io.lastfix.operate.size.Figure;
import io.lastfix.operate.size.Figures;
import io.lastfix.operate.size.Fleet;
import io.lastfix.operate.size.SizeLine;
import io.lastfix.operate.size.Sizing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lastfix size}: computes what a fleet of devices needs. */
@Command(
    name = "size",
    description = {
      "Computes the nodes, cores, disks and cost that a fleet of devices needs. Starts nothing.",
      "Each line names what it is computed from: given (your options), measured (in which file), or"
          + " assumed. --figures prints all figures with their reasons. See docs/operate/size.md."
    },
    footer = "  lastfix size --devices 100000 --interval 60 --bytes 500")
public final class SizeCommand extends JsonCommand {
  /** Below it, a number has decimals. */
  private static final double WHOLE = 100;

  @Option(
      names = "--devices",
      paramLabel = "N",
      required = true,
      description = "Devices of the fleet.")
  private long devices;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      required = true,
      description = "Time between two requests of a device.")
  private long interval;

  @Option(
      names = "--bytes",
      paramLabel = "B",
      required = true,
      description = "Bytes of a request's body.")
  private long bytes;

  @Option(
      names = "--records",
      paramLabel = "N",
      description =
          "Location records in a request; 0 for data that is no location (default: 1; 0 with"
              + " --heartbeats).")
  private @Nullable Long records;

  @Option(
      names = "--heartbeats",
      description = "The requests are heartbeats, of which Kafka keeps no body.")
  private boolean isHeartbeats;

  @Option(
      names = "--peak",
      paramLabel = "RATIO",
      defaultValue = "1",
      description = "The highest rate as a ratio to the average (default: ${DEFAULT-VALUE}).")
  private double peak;

  @Option(
      names = "--reconnect",
      negatable = true,
      description =
          "Each request opens a new TLS connection (default: if the interval is at least"
              + " gateway.idle-seconds, because the gateway has closed the one before).")
  private @Nullable Boolean isReconnecting;

  @Option(
      names = "--set",
      paramLabel = "FIGURE=VALUE",
      description = "Your own value of a figure, such as node.price=180; may be given many times.")
  private Map<String, Double> own = new LinkedHashMap<>();

  @Option(names = "--figures", description = "Print the figures and their sources, too.")
  private boolean isWithFigures;

  /** The command's output as JSON. */
  record Size(Fleet fleet, List<SizeLine> lines, Map<String, Figure> figures) {}

  @Override
  public Integer call() {
    Figures figures = accepted("", () -> Figures.ofThisBuild().with(own));
    Fleet fleet =
        accepted(
            "",
            () ->
                new Fleet(
                    devices,
                    interval,
                    bytes,
                    records == null ? (isHeartbeats ? 0 : 1) : records,
                    isHeartbeats,
                    peak,
                    isReconnecting == null
                        ? interval >= figures.all().get("gateway.idle-seconds").value()
                        : isReconnecting));
    List<SizeLine> lines = Sizing.of(fleet, figures);
    if (isJson()) {
      printJson(new Size(fleet, lines, figures.all()));
    } else {
      out().println(text(lines));
      if (isWithFigures) {
        out().printf("%n%s%n", text(figures));
      }
    }
    return 0;
  }

  private static Table text(List<SizeLine> lines) {
    Table table = new Table("part", "what", "value", "unit", "basis");
    lines.forEach(
        line ->
            table.row(line.part(), line.what(), number(line.value()), line.unit(), line.basis()));
    return table;
  }

  private static Table text(Figures figures) {
    Table table = new Table("figure", "value", "what", "basis");
    figures
        .all()
        .forEach(
            (key, figure) -> table.row(key, number(figure.value()), figure.what(), basis(figure)));
    return table;
  }

  private static String basis(Figure figure) {
    if (figure.measured() != null) {
      return "measured: " + figure.measured();
    }
    return figure.assumed() == null ? "given" : "assumed: " + figure.assumed();
  }

  /** Three digits or more. */
  private static String number(double value) {
    boolean isWhole = value >= WHOLE || value == Math.rint(value);
    return String.format(Locale.ROOT, isWhole ? "%,.0f" : value >= 1 ? "%,.1f" : "%,.2f", value);
  }
}
