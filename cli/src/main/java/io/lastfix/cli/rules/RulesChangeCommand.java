package io.lastfix.cli.rules;

import io.lastfix.kit.config.Quantity;
import io.lastfix.operate.rules.FenceCells;
import io.lastfix.operate.rules.Propagation;
import io.lastfix.operate.rules.RuleStore;
import io.lastfix.operate.rules.RuleStore.Change;
import io.lastfix.rules.fence.Fence;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The base class of the commands that change rules and fences. */
@Command(
    exitCodeList = {
      "0:done, and the job 'rules' applies it, if it runs",
      "1:failed",
      "2:wrong usage",
      "4:stored, but a subtask of the job has not applied it in time"
    })
abstract class RulesChangeCommand extends RulesTopicCommand {
  private static final int NOT_APPLIED = 4;

  @Option(
      names = "--wait",
      converter = Wait.class,
      paramLabel = "DURATION",
      defaultValue = "10s",
      description = {
        "Maximum wait until the job 'rules' applies the change (default: ${DEFAULT-VALUE}).",
        "With 0s the command does not wait."
      })
  private Duration wait = Duration.ZERO;

  /** Waits for the job, prints a change, and returns the exit code. */
  final int print(RuleStore store, Change change, String words) throws IOException {
    if (wait.isZero()) {
      print(Propagation.NONE.of(change), List.of(words));
      return 0;
    }
    Propagation job;
    try {
      job = store.awaitJob(this::applied, wait);
    } catch (IOException e) {
      throw new IOException(
          "%s, but whether a job applies it is not known: %s".formatted(words, e.getMessage()), e);
    }
    print(job.of(change), List.of(words + job.words()));
    if (job.missing().isEmpty()) {
      return 0;
    }
    say(job.warning());
    return NOT_APPLIED;
  }

  /**
   * Warns on standard error of cells that fences are too small for, once a change is printed.
   *
   * @param certainties as of {@link FenceCells#warnings}
   */
  final void sayIfTooSmall(Map<Fence, Double> certainties) {
    new FenceCells(config()).warnings(certainties).forEach(this::say);
  }

  /** A duration of zero or more. */
  static final class Wait implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      try {
        return Quantity.duration(text, "");
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "expected a duration such as 10s or 1min, found '%s'".formatted(text));
      }
    }
  }
}
