package io.lastfix.bench.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.operate.bench.Benchmark;
import io.lastfix.operate.bench.Benchmark.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All results of one run, and its environment. */
public final class Report {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Map<String, String> environment = new LinkedHashMap<>();
  private final List<ResultTable> tables = new ArrayList<>();
  private final List<Goal> goals = new ArrayList<>();

  /** Adds an item of the environment: the machine, a version, a setting. */
  public void environment(String what, String value) {
    environment.put(what, value);
  }

  /** Adds a table. */
  public void add(ResultTable table) {
    tables.add(table);
  }

  /** Adds a goal. */
  public void add(Goal goal) {
    goals.add(goal);
  }

  /** The goals and their results; empty if no part has one. */
  public Optional<ResultTable> goals() {
    if (goals.isEmpty()) {
      return Optional.empty();
    }
    ResultTable table =
        new ResultTable(
            "goals",
            "Goals",
            new ResultTable.Column("goal", "goal", 0),
            new ResultTable.Column("wanted", "target", 0),
            new ResultTable.Column("found", "measured", 2),
            new ResultTable.Column("reached", "reached", 0));
    goals.forEach(goal -> table.row(goal.what(), goal.bound(), goal.found(), goal.outcome()));
    return Optional.of(table);
  }

  private ResultTable environment() {
    ResultTable table =
        new ResultTable(
            "surroundings",
            "Measured on",
            new ResultTable.Column("what", "what", 0),
            new ResultTable.Column("value", "value", 0));
    environment.forEach(table::row);
    return table;
  }

  /** The environment, all tables and the goals. */
  List<ResultTable> all() {
    List<ResultTable> all = new ArrayList<>();
    all.add(environment());
    all.addAll(tables);
    goals().ifPresent(all::add);
    return all;
  }

  /** All tables, by name. */
  ObjectNode toJson() {
    ObjectNode root = JSON.createObjectNode();
    for (ResultTable table : all()) {
      ArrayNode rows = table.toJson(JSON);
      root.set(table.name(), rows);
    }
    return root;
  }

  /** All of it, for the command. */
  public Results results(List<Exception> failures) {
    return new Results(
        toJson(),
        all().stream()
            .map(it -> new Benchmark.Table(it.title(), it.headings(), it.textRows()))
            .toList(),
        failures);
  }

  /** Writes {@code results.json} and {@code tables.md}. */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("results.json"), JSON.writeValueAsString(toJson()) + "\n");
    StringBuilder markdown = new StringBuilder();
    all().forEach(table -> markdown.append(table.toMarkdown()).append('\n'));
    Files.writeString(directory.resolve("tables.md"), markdown.toString());
  }
}
