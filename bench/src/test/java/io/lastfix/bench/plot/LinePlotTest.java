package io.lastfix.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.bench.plot.CheckpointTimeline.Span;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinePlotTest {
  /** Right of the plot in an image of width 1,000. */
  private static final int LEGEND_FROM = 850;

  @TempDir private Path directory;

  @Test
  void stretchesOfTwoNamesAreMarkedWhereTheyAreEachInALaneOfItsOwn() throws IOException {
    BufferedImage image =
        drawn(List.of(new Span(10, 20), new Span(40, 45)), List.of(new Span(15, 35)));

    List<Integer> first = columns(image, LinePlot.LANE_COLORS.get(0));
    List<Integer> second = columns(image, LinePlot.LANE_COLORS.get(1));
    // Per second of the axis.
    double pixels = (last(second) - second.get(0) + 1) / 20.0;
    assertThat(pixels).as("pixels of a second").isBetween(4.0, 10.0);
    assertThat(first.size() / pixels).as("seconds of the first").isBetween(14.0, 16.0);
    assertThat(gaps(first)).as("gaps in the first").isEqualTo(1);
    assertThat(gaps(second)).as("gaps in the second").isZero();
    assertThat((second.get(0) - first.get(0)) / pixels)
        .as("seconds from one's beginning to the other's")
        .isBetween(4.5, 5.5);
  }

  /** Columns with a pixel of that color, left of the legend. */
  private static List<Integer> columns(BufferedImage image, Color color) {
    return IntStream.range(0, LEGEND_FROM)
        .filter(
            x ->
                IntStream.range(0, image.getHeight())
                    .anyMatch(y -> image.getRGB(x, y) == color.getRGB()))
        .boxed()
        .toList();
  }

  private static int last(List<Integer> columns) {
    return columns.get(columns.size() - 1);
  }

  private static long gaps(List<Integer> columns) {
    return IntStream.range(1, columns.size())
        .filter(i -> columns.get(i) != columns.get(i - 1) + 1)
        .count();
  }

  private BufferedImage drawn(List<Span> first, List<Span> second) throws IOException {
    LinePlot plot = new LinePlot("title", "second", "milliseconds");
    plot.add("line", 0, 50);
    plot.add("line", 100, 100);
    plot.addSpans("first", first);
    plot.addSpans("second", second);
    Path file = directory.resolve("plot.png");
    plot.write(file);
    return ImageIO.read(file.toFile());
  }
}
