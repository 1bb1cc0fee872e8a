package io.lastfix.cli.bench;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Lines through measured points, as a PNG. */
final class LinePlot {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 600;

  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final Map<String, Points> lines = new LinkedHashMap<>();

  /** The points of one line. */
  private record Points(List<Double> x, List<Double> y) {}

  LinePlot(String title, String xTitle, String yTitle) {
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
  }

  /** Adds a point to the line of that name. */
  void add(String line, double x, double y) {
    Points points =
        lines.computeIfAbsent(line, any -> new Points(new ArrayList<>(), new ArrayList<>()));
    points.x().add(x);
    points.y().add(y);
  }

  void write(Path file) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setXAxisMin(0.0);
    lines.forEach((name, points) -> chart.addSeries(name, points.x(), points.y()));
    Files.createDirectories(file.toAbsolutePath().getParent());
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
