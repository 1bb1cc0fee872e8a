package io.lastfix.cli.plot;

import io.lastfix.cli.output.Table;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;

/** A bar for each of some numbers, in their order: of groups, or of windows of time. */
public final class BarPlot {
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 600;
  private static final int LABEL_DEGREES = 45;

  /** A longer name at that angle would begin left of the picture. It stands upright. */
  private static final int MAX_SLANTED = 16;

  private static final int HEIGHT_WITH_UPRIGHT_NAMES = 800;
  private static final int UPRIGHT = 90;

  /** A longer title would be cut off in the usual font. */
  private static final int MAX_TITLE = 105;

  private static final int SMALL = 11;

  /** Names below a bar would cover each other if there were more. */
  private static final int MAX_LABELS = 40;

  /** A bar's eighths, from one to seven; a whole one is {@code █}. */
  private static final String EIGHTHS = "▏▎▍▌▋▊▉";

  private static final int LEAST_BAR = 10;

  /** In place of a number that is not known. */
  private static final String UNKNOWN = "-";

  /** Blanks between three columns. */
  private static final int GAPS = 4;

  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final List<String> names = new ArrayList<>();
  private final List<@Nullable Long> values = new ArrayList<>();

  /** A plot without bars. */
  public BarPlot(String title, String xTitle, String yTitle) {
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
  }

  /** Adds a bar; its value is 0 or more. */
  public void add(String name, long value) {
    names.add(name);
    values.add(value);
  }

  /** Adds a name without a bar: its value is not known, and need not be 0. */
  public void addUnknown(String name) {
    names.add(name);
    values.add(null);
  }

  /** Whether it has neither a bar nor a name without one. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /**
   * Returns the plot as lines of text.
   *
   * @param width characters of a line
   * @param isPlain true: ASCII only, for a file or a pipe
   */
  public String toText(int width, boolean isPlain) {
    long greatest = greatest();
    int name = Math.max(xTitle.length(), longest(names));
    int number = longest(values.stream().map(BarPlot::number).toList());
    int room = Math.max(LEAST_BAR, width - name - Math.max(yTitle.length(), number) - GAPS);
    // The table prints no character that commands the terminal.
    Table table = new Table(xTitle, yTitle, title);
    for (int i = 0; i < names.size(); i++) {
      Long value = values.get(i);
      double length = value == null || greatest == 0 ? 0 : (double) value / greatest * room;
      table.row(
          names.get(i),
          " ".repeat(number - number(value).length()) + number(value),
          isPlain ? "#".repeat((int) Math.round(length)) : bar(length));
    }
    return table.toString();
  }

  private static String bar(double length) {
    int eighths = (int) Math.round(length * (EIGHTHS.length() + 1));
    int rest = eighths % (EIGHTHS.length() + 1);
    return "█".repeat(eighths / (EIGHTHS.length() + 1))
        + (rest == 0 ? "" : EIGHTHS.substring(rest - 1, rest));
  }

  private static String number(@Nullable Long value) {
    return value == null ? UNKNOWN : String.format(Locale.ROOT, "%,d", value);
  }

  private static int longest(List<String> texts) {
    return texts.stream().mapToInt(String::length).max().orElse(0);
  }

  private long greatest() {
    return values.stream().filter(Objects::nonNull).mapToLong(Long::longValue).max().orElse(0);
  }

  /** Writes the plot as PNG; the name must end with {@code .png}. Needs no display. */
  public void write(Path file) throws IOException {
    System.setProperty("java.awt.headless", "true");
    boolean isUpright = longest(names) > MAX_SLANTED;
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(isUpright ? HEIGHT_WITH_UPRIGHT_NAMES : HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setXAxisLabelRotation(isUpright ? UPRIGHT : LABEL_DEGREES);
    // A slanted label rises to the right: its end, and not its middle, stands at the tick.
    chart
        .getStyler()
        .setXAxisLabelAlignment(isUpright ? TextAlignment.Centre : TextAlignment.Right);
    if (title.length() > MAX_TITLE) {
      chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, SMALL));
    }
    chart.getStyler().setXAxisMaxLabelCount(MAX_LABELS);
    chart.getStyler().setYAxisMin(0.0);
    if (greatest() == 0) {
      chart.getStyler().setYAxisMax(1.0);
    }
    chart.getStyler().setYAxisDecimalPattern("#,##0");
    chart.addSeries(yTitle, names, values);
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
