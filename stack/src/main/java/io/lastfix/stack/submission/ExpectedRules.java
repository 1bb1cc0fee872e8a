package io.lastfix.stack.submission;

import io.lastfix.stack.GatewayServer;
import io.lastfix.stack.PrometheusServer;
import io.lastfix.stack.RecordedProcess;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.StackState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Tells the local stack's Prometheus what ought to run, so that it has an alert for what is down:
 * each submitted job that no person has ended, and the gateway.
 */
public final class ExpectedRules {
  /** What Flink's reporter replaces in a label. */
  private static final Pattern NOT_IN_LABEL = Pattern.compile("[^a-zA-Z0-9:_]");

  private final StackHome home;

  public ExpectedRules(StackHome home) {
    this.home = home;
  }

  /** Writes the rules, and lets Prometheus read them; does nothing if the stack has none. */
  public void write() throws IOException {
    StackState state = StackState.read(home).orElse(StackState.empty());
    if (!state.endpoints().containsKey(PrometheusServer.NAME)) {
      return;
    }
    Path file = PrometheusServer.expected(home);
    boolean isNew = false;
    // Looked at again afterwards: another command may have recorded a job, and written before this.
    for (String rules = rules(state); !isWritten(file, rules); rules = rules(state)) {
      Path next = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".next");
      Files.writeString(next, rules);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      isNew = true;
    }
    if (isNew) {
      reload(state);
    }
  }

  private static boolean isWritten(Path file, String rules) throws IOException {
    return Files.exists(file) && Files.readString(file).equals(rules);
  }

  private String rules(StackState state) throws IOException {
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
    if (state.endpoints().containsKey(GatewayServer.NAME)) {
      rules.add(rule("lastfix_gateway_expected"));
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
      return switch (job.get().end()) {
        // After a down, somebody has to submit it again.
        case NONE, FAILED, TAKEN_DOWN -> true;
        // An upgrade stops it, too.
        case STOP_REQUESTED, STOPPED, CANCELED -> submitted.findCurrentUpgrade(name).isPresent();
      };
    } catch (IOException damaged) {
      // The job's next command names the file; a command for another job does not fail.
      return true;
    }
  }

  private static void reload(StackState state) throws IOException {
    Optional<ProcessHandle> prometheus =
        state.process(PrometheusServer.NAME).flatMap(RecordedProcess::find);
    if (prometheus.isPresent()) {
      new ProcessBuilder("kill", "-HUP", Long.toString(prometheus.get().pid()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    }
  }
}
