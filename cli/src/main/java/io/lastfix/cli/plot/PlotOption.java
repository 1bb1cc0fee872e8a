package io.lastfix.cli.plot;

import io.lastfix.cli.common.CheckedOptions;
import io.lastfix.cli.common.TerminalStreams;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that draws bars instead of printing rows; a mixin. */
public final class PlotOption extends CheckedOptions {
  private static final String SUFFIX = ".png";

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      arity = "0..1",
      fallbackValue = "",
      description = "Draw bars instead of rows: in the terminal, or as this PNG file.")
  private @Nullable String file;

  /** Returns whether a plot is wanted. */
  public boolean isGiven() {
    return file != null;
  }

  /** Returns whether it is a picture, which has room for more bars than a terminal. */
  public boolean isPicture() {
    return file != null && !file.isEmpty();
  }

  /**
   * Checks the option; before a query.
   *
   * @param isTable whether no other form of output was chosen
   */
  public void check(boolean isTable) {
    if (isGiven() && !isTable) {
      throw usageError("--plot excludes --json, --csv, --spreadsheet and --geojson");
    }
    if (isPicture()) {
      if (!path().toString().endsWith(SUFFIX)) {
        throw usageError("--plot: expected a name that ends with " + SUFFIX);
      }
      Path folder = path().toAbsolutePath().getParent();
      if (folder != null && !Files.isDirectory(folder)) {
        throw usageError("--plot: there is no folder " + folder);
      }
    }
  }

  /** Prints the plot, or writes the file and says so; says so, too, if there is nothing to draw. */
  public void draw(BarPlot bars, PrintWriter out, PrintWriter err) throws IOException {
    if (bars.isEmpty()) {
      err.println("Nothing is drawn, because each number is withheld or not known");
    } else if (isPicture()) {
      bars.write(path());
      err.println("Wrote " + path());
    } else {
      out.println(bars.toText(TerminalStreams.width(), !TerminalStreams.hasStandardOutput()));
    }
  }

  private Path path() {
    return Path.of(file == null ? "" : file);
  }
}
