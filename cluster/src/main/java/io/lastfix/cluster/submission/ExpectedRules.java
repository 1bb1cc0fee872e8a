package io.lastfix.cluster.submission;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the local stack's Prometheus what ought to run, so that it has an alert for what is down:
 * each submitted job that no person has ended, the gateway, and notify.
 *
 * @param home of the stack
 * @param reload lets a Prometheus read its files again
 */
public record ExpectedRules(StackHome home, Consumer<ProcessHandle> reload) {
  private static final Logger LOG = LoggerFactory.getLogger(ExpectedRules.class);

  /** What Flink's reporter replaces in a label. */
  private static final Pattern NOT_IN_LABEL = Pattern.compile("[^a-zA-Z0-9:_]");

  /** Those of the stack in that home. */
  public ExpectedRules(StackHome home) {
    this(home, ExpectedRules::reload);
  }

  /**
   * Writes the rules, and lets Prometheus read them; does nothing if the stack has none. A failure
   * is only logged: a command that has acted on a job must not fail because of its alerts.
   */
  void write() {
    try {
      StackState state = StackState.read(home).orElse(StackState.empty());
      if (state.endpoints().containsKey(StackState.PROMETHEUS)) {
        write(state, state.endpoints().keySet());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("cannot tell Prometheus what ought to run: {}", e.toString());
    }
  }

  /**
   * Writes the rules for a stack that is about to start with a Prometheus.
   *
   * @param services the names of those that it will have
   */
  public void writeBeforeStart(Set<String> services) {
    try {
      write(StackState.read(home).orElse(StackState.empty()), services);
    } catch (IOException | RuntimeException e) {
      LOG.warn("cannot tell Prometheus what ought to run: {}", e.toString());
    }
  }

  private void write(StackState state, Set<String> services) throws IOException {
    Path file = home.expectedRules();
    boolean isNew = false;
    // Looked at again afterwards: another command may have recorded a job, and written before this.
    for (String rules = rules(services); !isWritten(file, rules); rules = rules(services)) {
      Path next =
          file.resolveSibling(file.getFileName() + ".next-" + ProcessHandle.current().pid());
      try {
        Files.writeString(next, rules);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(next);
      }
      isNew = true;
    }
    if (isNew) {
      Optional<ProcessHandle> prometheus =
          state.process(StackState.PROMETHEUS).flatMap(RecordedProcess::find);
      prometheus.ifPresent(reload);
    }
  }

  /**
   * Lets a Prometheus read its files again. Its page for that is off, because any web page that is
   * open on this machine could then end it. A failure is only logged.
   */
  public static void reload(ProcessHandle prometheus) {
    try {
      new ProcessBuilder("kill", "-HUP", Long.toString(prometheus.pid()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      LOG.warn("cannot let Prometheus read its files again: {}", e.toString());
    }
  }

  private static boolean isWritten(Path file, String rules) throws IOException {
    return Files.exists(file) && Files.readString(file).equals(rules);
  }

  private String rules(Set<String> services) throws IOException {
    List<String> rules = new ArrayList<>();
    SubmittedJobs submitted = SubmittedJobs.ofLocalStack(home);
    for (String name : submitted.names()) {
      if (oughtToRun(submitted, name)) {
        rules.add(
            rule("lastfix_job_expected")
                + "    labels: {job_name: '%s'}\n"
                    .formatted(NOT_IN_LABEL.matcher(name).replaceAll("_")));
      }
    }
    for (String server : List.of(StackState.GATEWAY, StackState.NOTIFY)) {
      if (services.contains(server)) {
        rules.add(
            rule("lastfix_%s_expected".formatted(server))
                + "    labels: {job: '%s'}\n".formatted(server));
      }
    }
    return "# Written when a job is submitted or stopped, and by lastfix up.\n"
        + "groups:\n- name: lastfix-expected\n  rules:%s\n".formatted(rules.isEmpty() ? " []" : "")
        + String.join("", rules);
  }

  private static String rule(String series) {
    return "  - record: %s\n    expr: vector(1)\n".formatted(series);
  }

  private static boolean oughtToRun(SubmittedJobs submitted, String name) {
    try {
      Optional<SubmittedJob> job = submitted.find(name);
      if (job.isEmpty()) {
        return false;
      }
      // An upgrade stops it, too.
      return job.get().oughtToRun() || submitted.findCurrentUpgrade(name).isPresent();
    } catch (IOException damaged) {
      // The job's next command names the file; another job's command succeeds.
      return true;
    }
  }
}
