package io.lastfix.cli.bench;

import java.awt.BasicStroke;
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
  private static final int MARKER_SIZE = 8;
  private static final float SPAN_WIDTH = 16;

  /** With more points than these a line is all markers. */
  private static final int MOST_MARKED = 200;

  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final Map<String, Points> lines = new LinkedHashMap<>();
  private final Map<String, Points> spans = new LinkedHashMap<>();

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

  /** Marks a stretch of the horizontal axis; several may have one name. */
  void addSpan(String name, double from, double to) {
    Points points =
        spans.computeIfAbsent(name, any -> new Points(new ArrayList<>(), new ArrayList<>()));
    for (double x : new double[] {from, to, to}) {
      points.x().add(x);
      points.y().add(0.0);
    }
    // What is no number ends the line there.
    points.y().set(points.y().size() - 1, Double.NaN);
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
    boolean isDense = lines.values().stream().anyMatch(points -> points.x().size() > MOST_MARKED);
    chart.getStyler().setMarkerSize(isDense ? 0 : MARKER_SIZE);
    lines.forEach((name, points) -> chart.addSeries(name, points.x(), points.y()));
    spans.forEach(
        (name, points) ->
            chart
                .addSeries(name, points.x(), points.y())
                .setLineStyle(
                    new BasicStroke(SPAN_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL)));
    Files.createDirectories(file.toAbsolutePath().getParent());
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
