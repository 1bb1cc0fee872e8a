package io.lastfix.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinePlotTest {
  @TempDir private Path directory;

  @Test
  void aStretchOfTheAxisIsMarkedFromItsBeginningToItsEndAndNotBetweenTwo() throws IOException {
    BufferedImage without = drawn(false);
    BufferedImage with = drawn(true);

    int[] changed = new int[with.getWidth()];
    int bottom = 0;
    for (int x = 0; x < with.getWidth() / 2; x++) {
      for (int y = 0; y < with.getHeight(); y++) {
        if (with.getRGB(x, y) != without.getRGB(x, y)) {
          changed[x]++;
          bottom = Math.max(bottom, y);
        }
      }
    }
    assertThat(bottom).as("the lowest marked row").isGreaterThan(with.getHeight() / 2);
    assertThat(stretches(changed)).as("marked stretches in the left half").isEqualTo(2);
  }

  /** How often a run of changed columns begins. */
  private static int stretches(int[] changed) {
    int found = 0;
    for (int x = 1; x < changed.length; x++) {
      if (changed[x] > 0 && changed[x - 1] == 0) {
        found++;
      }
    }
    return found;
  }

  private BufferedImage drawn(boolean hasSpans) throws IOException {
    LinePlot plot = new LinePlot("title", "second", "milliseconds");
    plot.add("line", 0, 50);
    plot.add("line", 100, 100);
    // Of the same name and place in either, so that the legends do not differ.
    plot.addSpan("span", 99, 100);
    if (hasSpans) {
      plot.addSpan("span", 10, 15);
      plot.addSpan("span", 25, 30);
    }
    Path file = directory.resolve(hasSpans + ".png");
    plot.write(file);
    return ImageIO.read(file.toFile());
  }
}
