package io.lastfix.cli.top;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOError;
import java.io.IOException;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;

/**
 * The alternate screen of a terminal. What was on the terminal before is back after {@link #close},
 * which any thread may call.
 */
final class TopScreen implements AutoCloseable {
  private static final Size USUAL = new Size(80, 24);

  private final Terminal terminal;
  private final Display display;
  private final boolean coloured;
  private boolean isOpen;
  private boolean isClosed;

  /**
   * A screen that is not shown yet.
   *
   * @param terminal which the caller closes after the screen
   * @param coloured whether lines have colours
   */
  TopScreen(Terminal terminal, boolean coloured) {
    this.terminal = terminal;
    this.coloured = coloured;
    display = new Display(terminal, true);
  }

  /**
   * The terminal of this process. It restores its modes when it is closed, or when the JVM ends.
   *
   * @throws IOException if the standard input or output is none
   */
  static Terminal ofThisProcess() throws IOException {
    return TerminalBuilder.builder()
        .system(true)
        .provider(TerminalBuilder.PROP_PROVIDER_EXEC)
        .dumb(false)
        // A signal ends the JVM, as it ends each other command.
        .nativeSignals(false)
        .encoding(UTF_8)
        .build();
  }

  /** Shows the screen, unless it is closed already. */
  synchronized void open() {
    if (isClosed) {
      return;
    }
    isOpen = true;
    terminal.enterRawMode();
    // Ctrl-Z would leave the shell on this screen.
    Attributes modes = terminal.getAttributes();
    modes.setControlChar(ControlChar.VSUSP, 0);
    terminal.setAttributes(modes);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    display.clear();
    terminal.flush();
  }

  /** The present size of the window; 80 by 24 if the terminal does not say. */
  Size size() {
    try {
      Size size = terminal.getSize();
      return size.getColumns() > 0 && size.getRows() > 0 ? size : USUAL;
    } catch (IOError e) {
      return USUAL;
    }
  }

  /** Draws lines that fit the window over the former ones; nothing unless it is open. */
  synchronized void draw(List<TopLine> lines, Size size) {
    if (isOpen) {
      display.resize(size.getRows(), size.getColumns());
      display.update(lines.stream().map(line -> line.styled(coloured)).toList(), -1);
    }
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (isOpen) {
      isOpen = false;
      terminal.puts(Capability.cursor_normal);
      terminal.puts(Capability.exit_ca_mode);
      terminal.flush();
    }
  }
}
