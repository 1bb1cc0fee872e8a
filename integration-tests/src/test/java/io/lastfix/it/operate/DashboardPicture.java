package io.lastfix.it.operate;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The panels of the dashboard that ships, drawn from Prometheus' answers. Grafana is in no registry
 * of packages, so a page shows them by this.
 */
final class DashboardPicture {
  private static final int COLUMNS = 3;
  private static final int WIDTH = 440;
  private static final int HEIGHT = 260;
  private static final int MOST_IN_ONE_LINE = 3;
  private static final Font LEGEND = new Font(Font.SANS_SERIF, Font.PLAIN, 10);
  private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");

  private final List<XYChart> charts = new ArrayList<>();

  /** Returns Prometheus' answer to a query of the last minutes. */
  @FunctionalInterface
  interface Range {
    JsonNode query(String expression) throws Exception;
  }

  DashboardPicture(JsonNode dashboard, Range range) throws Exception {
    for (JsonNode panel : dashboard.path("panels")) {
      if (!panel.path("targets").isEmpty()) {
        charts.add(chart(panel, range));
      }
    }
  }

  private static XYChart chart(JsonNode panel, Range range) throws Exception {
    String unit = panel.at("/fieldConfig/defaults/unit").asText();
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(panel.path("title").asText() + (unit.equals("short") ? "" : " (" + unit + ")"))
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.setXAxisTitle("s");
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setLegendFont(LEGEND);
    for (JsonNode target : panel.path("targets")) {
      for (JsonNode series : range.query(target.path("expr").asText())) {
        add(chart, legend(target.path("legendFormat").asText(), series), series.path("values"));
      }
    }
    // More in one line would be cut off.
    if (chart.getSeriesMap().size() <= MOST_IN_ONE_LINE) {
      chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
      chart.getStyler().setLegendLayout(Styler.LegendLayout.Horizontal);
    }
    return chart;
  }

  private static void add(XYChart chart, String name, JsonNode values) {
    List<Double> times = new ArrayList<>();
    List<Double> numbers = new ArrayList<>();
    double last = values.path(values.size() - 1).path(0).asDouble();
    for (JsonNode value : values) {
      times.add(value.get(0).asDouble() - last);
      numbers.add(Double.valueOf(value.get(1).asText()));
    }
    if (!chart.getSeriesMap().containsKey(name)) {
      chart.addSeries(name, times, numbers).setMarker(SeriesMarkers.NONE);
    }
  }

  private static String legend(String format, JsonNode series) {
    return LABEL
        .matcher(format)
        .replaceAll(label -> series.path("metric").path(label.group(1)).asText());
  }

  void write(Path png) throws IOException {
    int rows = (charts.size() + COLUMNS - 1) / COLUMNS;
    BufferedImage all =
        new BufferedImage(COLUMNS * WIDTH, rows * HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = all.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, all.getWidth(), all.getHeight());
    for (int i = 0; i < charts.size(); i++) {
      graphics.drawImage(
          BitmapEncoder.getBufferedImage(charts.get(i)),
          i % COLUMNS * WIDTH,
          i / COLUMNS * HEIGHT,
          null);
    }
    graphics.dispose();
    ImageIO.write(all, "png", png.toFile());
  }
}
