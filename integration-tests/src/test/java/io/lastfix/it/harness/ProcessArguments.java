package io.lastfix.it.harness;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What any process list would have shown while this was open: every command line, in full, and the
 * files that java reads further arguments from ({@code @/path}).
 */
public final class ProcessArguments implements AutoCloseable {
  private static final long POLL_MILLIS = 50;

  private final Set<String> seen = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService poll = Executors.newSingleThreadScheduledExecutor();
  private final Future<?> looking;

  public ProcessArguments() {
    looking = poll.scheduleWithFixedDelay(this::look, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        try {
          String arguments = Files.readString(process.resolve("cmdline"), ISO_8859_1);
          seen.add(arguments);
          for (String argument : arguments.split("\0", -1)) {
            if (argument.startsWith("@/")) {
              seen.add(Files.readString(Path.of(argument.substring(1)), ISO_8859_1));
            }
          }
        } catch (IOException e) {
          // It has ended in the meantime.
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each command line and each file that was seen. */
  public String seen() {
    assertThat(looking).as("still looking").isNotDone();
    return String.join("\n", seen);
  }

  @Override
  public void close() {
    poll.shutdownNow();
  }
}
