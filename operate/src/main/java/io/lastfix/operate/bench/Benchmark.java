package io.lastfix.operate.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.cluster.Installation;
import io.lastfix.cluster.StackException;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What {@code lastfix bench} measures. It is a build of its own (module {@code bench}), which only
 * this command has on its class path.
 */
public interface Benchmark {
  /** The database that a benchmark stores into, and deletes. */
  String DATABASE = "lastfix_bench";

  /** With it begins the name of each topic that a benchmark writes, and deletes. */
  String TOPIC_PREFIX = "lastfix-bench.";

  /**
   * A table of figures.
   *
   * @param title with the conditions of the measurement
   * @param headings of the columns, each with its unit
   * @param rows as texts, one for each column
   */
  record Table(String title, List<String> headings, List<List<String>> rows) {}

  /**
   * What was measured.
   *
   * @param json all tables, by name
   * @param tables the same, for a reader
   * @param failures of parts; the results of the others stay useful
   */
  record Results(JsonNode json, List<Table> tables, List<Exception> failures) {}

  /**
   * Measures, deletes what it stored before and meanwhile, and writes the results.
   *
   * @param commandLine its words, to be written with the results without their secrets
   * @param progress receives one line for the user at each step
   * @throws Exception if another job runs, if a server does not answer, if no results can be
   *     written, or if a part is interrupted
   */
  Results run(
      Servers servers,
      JobSettings settings,
      BenchOptions options,
      Set<Part> parts,
      List<String> commandLine,
      Consumer<String> progress)
      throws Exception;

  /**
   * Finds the measurements on the class path.
   *
   * @throws StackException if they are not on it
   */
  static Benchmark find() {
    return ServiceLoader.load(Benchmark.class)
        .findFirst()
        .orElseThrow(
            () ->
                new StackException(
                    "the measurements are not on the class path: "
                        + (Installation.isArchive()
                            ? "this archive was built without them; build one with mvn -Pbench package"
                            : "start the command by the lastfix script, which builds them")));
  }
}
