package io.lastfix.cli.top;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.TerminalStreams;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.status.Frame;
import io.lastfix.operate.status.TopReadings;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix top}: shows the rate, the lag, the freshness and the ledger as they change. */
@Command(
    name = "top",
    description = {
      "Shows the location job's rate, freshness, lag and ledger, all jobs with restarts and"
          + " checkpoints, and the busiest cells, until q or Ctrl-C.",
      "Flink collects its metrics every ten seconds by default; its rates are those of the last"
          + " minute. The busiest cells need the analytics job. A number that is not known is -.",
      "A server that does not answer is DOWN, and read again for the next frame.",
      "Rate, freshness and waiting records are those of at most 30 s ago. STALE shows how long no"
          + " TaskManager has reported, ENDED names a process of the local stack to start again.",
      "If the output is no terminal, it prints one frame; if TERM is dumb or the input is no"
          + " terminal, one below the other."
          + " NO_COLOR turns the colours off."
    },
    footer = "  lastfix top --once")
public final class TopCommand extends LastfixCommand {
  @Mixin private final AccessOptions options = new AccessOptions();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Time between two frames (default: ${DEFAULT-VALUE}).")
  private Duration interval = Duration.ZERO;

  @Option(names = "--once", description = "Print one frame and end.")
  private boolean once;

  @Option(
      names = "--json",
      description = "Print each frame as a line of JSON, until Ctrl-C or with --once only one.")
  private boolean json;

  private final CountDownLatch quit = new CountDownLatch(1);
  private @Nullable Servers servers;
  private volatile @Nullable TopReadings readings;
  private volatile @Nullable RuntimeException failure;

  @Override
  public Integer call() throws Exception {
    try {
      if (json) {
        printFrames(() -> out().println(read().toJson()));
      } else if (once || !TerminalStreams.hasStandardOutput()) {
        print(TopFrame.lines(read()));
      } else if (TerminalStreams.isDumb(System.getenv()) || !TerminalStreams.hasStandardInput()) {
        // Such a terminal cannot move its cursor: one frame is below the other.
        printFrames(
            () -> {
              print(TopFrame.lines(read()));
              out().println();
            });
      } else {
        showUntilQuit();
      }
      return 0;
    } finally {
      TopReadings last = readings;
      if (last != null) {
        last.close();
      }
    }
  }

  /** Until a signal, or once if that is wanted. */
  private void printFrames(Runnable frame) throws InterruptedException {
    do {
      frame.run();
      // Also flushes; the terminal, or the reader of a pipe, may be gone.
      if (out().checkError()) {
        return;
      }
    } while (!once && !quit.await(interval.toMillis(), TimeUnit.MILLISECONDS));
  }

  private void print(List<TopLine> lines) {
    int columns =
        columns(TerminalStreams.hasStandardOutput() ? TerminalStreams.width() : Integer.MAX_VALUE);
    lines.forEach(line -> out().println(line.cutTo(columns).text()));
  }

  private void showUntilQuit() throws IOException, InterruptedException {
    boolean coloured = System.getenv().getOrDefault("NO_COLOR", "").isEmpty();
    try (Terminal terminal = TopScreen.ofThisProcess();
        TopScreen screen = new TopScreen(terminal, coloured)) {
      // Also if a signal ends this process.
      Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "screen"));
      screen.open();
      start("keys", () -> awaitQuitKey(terminal.reader()));
      start("frames", () -> drawFrames(screen));
      quit.await();
    }
    RuntimeException ended = failure;
    if (ended != null) {
      throw ended;
    }
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void awaitQuitKey(Reader keys) {
    try {
      int key;
      do {
        key = keys.read();
      } while (key >= 0 && key != 'q' && key != 'Q');
      if (key >= 0) {
        quit.countDown();
      }
    } catch (IOException e) {
      // Without keys, signals end it.
    }
  }

  private void drawFrames(TopScreen screen) {
    try {
      do {
        List<TopLine> lines = TopFrame.lines(read());
        Size size = screen.size();
        screen.draw(TopFrame.fit(lines, columns(size.getColumns()), size.getRows()), size);
      } while (!quit.await(interval.toMillis(), TimeUnit.MILLISECONDS));
    } catch (RuntimeException e) {
      failure = e;
      quit.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The user's choice, else that many. */
  private static int columns(int otherwise) {
    try {
      int columns = Integer.parseInt(System.getenv().getOrDefault("COLUMNS", ""));
      return columns > 0 ? columns : otherwise;
    } catch (NumberFormatException notSet) {
      return otherwise;
    }
  }

  /** Reads a frame; of other servers if the local stack has others than before. */
  private Frame read() {
    Servers now = options.servers();
    JobSettings settings = options.settings();
    TopReadings current = readings;
    if (current == null || !now.equals(servers)) {
      if (current != null) {
        current.close();
      }
      current = new TopReadings(settings.load(now), settings.access(now), now.local(), interval);
      servers = now;
      readings = current;
    }
    return current.read();
  }
}
