package io.lastfix.notify;

import io.lastfix.kit.config.ConfigurationException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers alerts until it is stopped: {@code --config FILE}, {@code --set KEY=VALUE}. Exit codes:
 * 0 stopped, 1 failed, 2 wrong usage or configuration. SIGTERM and Ctrl-C let attempts in flight
 * end, and end with 0.
 */
public final class Main {
  private static final String LOG_CONFIGURATION = "log4j2.configurationFile";

  private Main() {}

  /** Runs, and ends the JVM if the server cannot start. */
  public static void main(String[] arguments) throws InterruptedException {
    // Before the first logger is made. Another file name than the usual: the command has its own.
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty(LOG_CONFIGURATION, "notify-log4j2.xml");
    }
    int code = run(arguments, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** Returns after a stop, or the exit code of a failed start. */
  static int run(String[] arguments, PrintStream err) throws InterruptedException {
    NotifyServer server;
    try {
      server = NotifyServer.start(configuration(arguments));
    } catch (ConfigurationException | IllegalArgumentException e) {
      err.println("lastfix notify: " + e.getMessage());
      return 2;
    } catch (IllegalStateException e) {
      err.println("lastfix notify: " + e.getMessage());
      return 1;
    }
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  stop(server, Runtime.getRuntime()::halt);
                  stopped.countDown();
                },
                "stop"));
    stopped.await();
    return 0;
  }

  /** A JVM that a signal ends would exit with 128 and its number, as if it had not been orderly. */
  static void stop(NotifyServer server, IntConsumer exit) {
    server.close();
    System.out.flush();
    exit.accept(0);
  }

  static NotifyConfig configuration(String[] arguments) {
    @Nullable Path file = null;
    List<String> overrides = new ArrayList<>();
    Iterator<String> rest = Arrays.asList(arguments).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      if (!List.of("--config", "--set").contains(option) || !rest.hasNext()) {
        throw new IllegalArgumentException(
            "expected --config FILE and --set KEY=VALUE, found '%s'".formatted(option));
      }
      String value = rest.next();
      if (option.equals("--config")) {
        file = Path.of(value);
      } else {
        overrides.add(value);
      }
    }
    return NotifyConfig.load(file, overrides);
  }
}
