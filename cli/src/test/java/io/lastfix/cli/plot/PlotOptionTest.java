package io.lastfix.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class PlotOptionTest {
  @TempDir private Path directory;

  @Command
  private static final class Drawing {
    @Mixin private final PlotOption plot = new PlotOption();
  }

  @Test
  void ofNumbersThatAreAllWithheldNothingIsDrawnAndThatIsSaid() throws Exception {
    Path picture = directory.resolve("density.png");
    for (List<String> arguments :
        List.of(List.of("--plot"), List.of("--plot", picture.toString()))) {
      Drawing drawing = new Drawing();
      new CommandLine(drawing).parseArgs(arguments.toArray(String[]::new));
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();

      drawing.plot.draw(
          new BarPlot("Devices by area", "area", "devices"),
          new PrintWriter(out, true),
          new PrintWriter(err, true));

      assertThat(out.toString()).isEmpty();
      assertThat(err.toString())
          .isEqualToNormalizingNewlines(
              "Nothing is drawn, because each number is withheld or not known\n");
    }
    assertThat(picture).doesNotExist();
  }
}
