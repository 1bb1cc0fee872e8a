package io.lastfix.cli.top;

import io.lastfix.cli.common.Terminal;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The alternate screen of a terminal. What was on the terminal before is back after {@link #close},
 * which any thread may call.
 */
final class TopScreen implements AutoCloseable {
  private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[2J";
  private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String END_OF_LINE = "\u001b[K";
  private static final String REST_OF_SCREEN = "\u001b[J";

  private final PrintWriter out;
  private final boolean coloured;
  private @Nullable String formerModes;
  private boolean isOpen;
  private boolean isClosed;

  /**
   * A screen that is not shown yet.
   *
   * @param coloured whether lines have colours
   */
  TopScreen(PrintWriter out, boolean coloured) {
    this.out = out;
    this.coloured = coloured;
  }

  /**
   * Shows the screen, unless it is closed already.
   *
   * @param modes changes the terminal's modes, and returns the former ones to set in the end;
   *     empty: it changed none. {@link #close} waits for it, so a signal cannot leave them changed.
   */
  synchronized void open(Supplier<Optional<String>> modes) {
    if (isClosed) {
      return;
    }
    formerModes = modes.get().orElse(null);
    isOpen = true;
    out.print(ENTER);
    out.flush();
  }

  /** Draws lines that fit the window over the former ones; nothing once it is closed. */
  synchronized void draw(List<TopLine> lines) {
    if (!isOpen) {
      return;
    }
    StringBuilder text = new StringBuilder(HOME);
    for (int i = 0; i < lines.size(); i++) {
      TopLine line = lines.get(i);
      text.append(i == 0 ? "" : "\r\n")
          .append(coloured ? line.coloured() : line.text())
          .append(END_OF_LINE);
    }
    out.print(text.append(REST_OF_SCREEN));
    out.flush();
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (isOpen) {
      isOpen = false;
      out.print(LEAVE);
      out.flush();
      if (formerModes != null) {
        Terminal.setModes(formerModes);
      }
    }
  }
}
