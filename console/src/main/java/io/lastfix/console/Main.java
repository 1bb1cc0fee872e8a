package io.lastfix.console;

import io.lastfix.console.config.ConsoleConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Runs a console until it is stopped: {@code --config FILE}, or {@code --config -} for standard
 * input. Exit codes: 0 stopped, 1 failed, 2 wrong usage or configuration. SIGTERM and Ctrl-C let
 * open requests get their answers, and end with 0.
 */
public final class Main {
  private static final String LOG_CONFIGURATION = "log4j2.configurationFile";

  private Main() {}

  /** Runs, and ends the JVM if the console cannot start. */
  public static void main(String[] arguments) throws InterruptedException {
    // Before the first logger is made.
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      System.setProperty(LOG_CONFIGURATION, "console-log4j2.xml");
    }
    int code = run(arguments, System.in, System.out, System.err);
    if (code != 0) {
      System.exit(code);
    }
  }

  /** Returns after a stop, or the exit code of a failed start. */
  static int run(String[] arguments, InputStream in, PrintStream out, PrintStream err)
      throws InterruptedException {
    Console console;
    try {
      console = Console.start(configuration(arguments, in));
    } catch (IllegalArgumentException e) {
      err.println("lastfix console: " + e.getMessage());
      return 2;
    } catch (IllegalStateException | IOException e) {
      err.println("lastfix console: " + e.getMessage());
      return 1;
    }
    out.println("The console is at " + console.endpoint() + "/");
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  console.close();
                  out.flush();
                  // A JVM that a signal ends would exit as if it had not been orderly.
                  Runtime.getRuntime().halt(0);
                },
                "stop"));
    stopped.await();
    return 0;
  }

  static ConsoleConfig configuration(String[] arguments, InputStream in) throws IOException {
    if (arguments.length != 2 || !arguments[0].equals("--config")) {
      throw new IllegalArgumentException(
          "expected --config FILE, or --config - for standard input");
    }
    if (arguments[1].equals("-")) {
      return ConsoleConfig.read(in);
    }
    try (InputStream file = Files.newInputStream(Path.of(arguments[1]))) {
      return ConsoleConfig.read(file);
    }
  }
}
