package io.lastfix.bench.plot;

import io.lastfix.bench.plot.CheckpointTimeline.Span;
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
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A line chart of measured points, as a PNG. */
public final class LinePlot {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 600;
  private static final int MARKER_SIZE = 8;
  private static final float LANE_WIDTH = 12;

  /** The lanes' colours, used in turn. */
  static final List<Color> LANE_COLORS = List.of(new Color(0x7B3294), new Color(0x1A9641));

  /** Seconds: two pixels on an axis of about a minute. */
  private static final double SHORTEST_STRETCH = 0.2;

  /** The distance of two lanes, as a share of the greatest value. */
  private static final double LANE_SHARE = 0.04;

  /** Above this number of points, a line is drawn without markers. */
  private static final int MAX_MARKED = 200;

  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final Map<String, Points> lines = new LinkedHashMap<>();
  private final Map<String, List<Span>> spans = new LinkedHashMap<>();

  /** One line's points. */
  private record Points(List<Double> x, List<Double> y) {}

  /** A chart without lines. */
  public LinePlot(String title, String xTitle, String yTitle) {
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
  }

  /** Adds a point to a line. */
  public void add(String line, double x, double y) {
    Points points =
        lines.computeIfAbsent(line, any -> new Points(new ArrayList<>(), new ArrayList<>()));
    points.x().add(x);
    points.y().add(y);
  }

  /** Marks stretches of the horizontal axis, below those of earlier names. */
  public void addSpans(String name, List<Span> stretches) {
    spans.put(name, stretches);
  }

  /** Writes the PNG, and its folder if it is missing. */
  public void write(Path file) throws IOException {
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
    chart.getStyler().setXAxisMin(0.0);
    boolean isDense = lines.values().stream().anyMatch(points -> points.x().size() > MAX_MARKED);
    chart.getStyler().setMarkerSize(isDense ? 0 : MARKER_SIZE);
    lines.forEach((name, points) -> chart.addSeries(name, points.x(), points.y()));
    double height = LANE_SHARE * greatest();
    int lanes = 0;
    for (Map.Entry<String, List<Span>> entry : spans.entrySet()) {
      Color color = LANE_COLORS.get(lanes % LANE_COLORS.size());
      lanes++;
      addLane(chart, entry.getKey(), entry.getValue(), -lanes * height, color);
    }
    chart.getStyler().setYAxisMin(lanes == 0 ? 0 : -(lanes + 1) * height);
    Files.createDirectories(file.toAbsolutePath().getParent());
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }

  /** The greatest value of all lines; NaN stands for a value that was not measured. */
  private double greatest() {
    return lines.values().stream()
        .flatMap(points -> points.y().stream())
        .mapToDouble(y -> y)
        .filter(y -> !Double.isNaN(y))
        .max()
        .orElse(1);
  }

  /** Draws a lane. A stretch too short to see is drawn longer. */
  private static void addLane(
      XYChart chart, String name, List<Span> stretches, double y, Color color) {
    Points points = new Points(new ArrayList<>(), new ArrayList<>());
    for (Span span : stretches) {
      double to = Math.max(span.to(), span.from() + SHORTEST_STRETCH);
      // NaN interrupts the line.
      points.x().addAll(List.of(span.from(), to, to));
      points.y().addAll(List.of(y, y, Double.NaN));
    }
    if (!stretches.isEmpty()) {
      chart
          .addSeries(name, points.x(), points.y())
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(color)
          .setLineStyle(new BasicStroke(LANE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL));
    }
  }
}
