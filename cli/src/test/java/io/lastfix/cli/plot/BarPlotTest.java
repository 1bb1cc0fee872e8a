package io.lastfix.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BarPlotTest {
  @TempDir private Path directory;

  private static BarPlot plot() {
    BarPlot plot = new BarPlot("Records by cell", "cell", "records");
    plot.add("310-260-7-1", 1_600);
    plot.add("310-260-7-2", 850);
    plot.add("none", 0);
    return plot;
  }

  @Test
  void theGreatestValueTakesTheWidth() {
    assertThat(plot().toText(40, true).lines())
        .containsExactly(
            "cell         records  Records by cell",
            "310-260-7-1  1,600    ##################",
            "310-260-7-2    850    ##########",
            "none             0    ");
  }

  @Test
  void whatIsNotKnownIsADashWithoutABar() throws Exception {
    BarPlot plot = new BarPlot("t", "x", "devices");
    plot.addUnknown("a");
    plot.add("b", 20);

    assertThat(plot.toText(30, true).lines())
        .containsExactly("x  devices  t", "a   -       ", "b  20       ##################");
    plot.write(directory.resolve("unknown.png"));
  }

  @Test
  void aPictureOfNothingHasAScale() throws Exception {
    BarPlot plot = new BarPlot("t", "x", "records");
    plot.add("a", 0);

    plot.write(directory.resolve("nothing.png"));

    assertThat(directory.resolve("nothing.png")).isNotEmptyFile();
  }

  @Test
  void aTerminalGetsEighthsOfACharacter() {
    assertThat(plot().toText(40, false).lines())
        .containsExactly(
            "cell         records  Records by cell",
            "310-260-7-1  1,600    ██████████████████",
            "310-260-7-2    850    █████████▋",
            "none             0    ");
  }

  @Test
  void aNameCannotCommandTheTerminal() {
    BarPlot plot = new BarPlot("t", "x", "y");
    plot.add("\u001b[2J", 1);

    assertThat(plot.toText(20, true)).contains("\\u001b[2J").doesNotContain("\u001b");
  }

  @Test
  void thePictureHasBarsAndLetters() throws Exception {
    Path file = directory.resolve("counts.png");

    plot().write(file);

    BufferedImage image = ImageIO.read(file.toFile());
    Set<Integer> colors = new HashSet<>();
    for (int x = 0; x < image.getWidth(); x++) {
      for (int y = 0; y < image.getHeight(); y++) {
        colors.add(image.getRGB(x, y));
      }
    }
    assertThat(image.getWidth()).isEqualTo(1000);
    assertThat(colors).hasSizeGreaterThan(3);
  }
}
