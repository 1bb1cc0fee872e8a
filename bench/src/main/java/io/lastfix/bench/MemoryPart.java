package io.lastfix.bench;

import io.lastfix.bench.Bench.RunningJob;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.messages.EachUserOnce;
import io.lastfix.bench.servers.BenchTopics;
import io.lastfix.bench.stage.StageJob.Stage;
import io.lastfix.cluster.flink.FlinkRest.Checkpoint;
import io.lastfix.cluster.flink.FlinkRest.CompletedCheckpoint;
import io.lastfix.kit.poll.Poll;
import io.lastfix.local.LiveHeap;
import io.lastfix.model.CellSite;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.SyntheticCells;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state and heap of a cell and of a user: the same job with growing numbers of them, and the
 * increase per further one.
 */
final class MemoryPart implements BenchPart {
  private static final List<Integer> COUNTS = List.of(20_000, 100_000, 1_000_000);
  private static final List<Integer> SHORT_COUNTS = List.of(2_000, 10_000, 50_000);
  private static final String TOPIC_PREFIX = BenchTopics.PREFIX + "memory.";

  /** Enough that every subtask has processed some. */
  private static final int FEW_RECORDS = 10_000;

  /** Cells in every catalogue. */
  private static final int FEW_CELLS = 1_000;

  private static final int HEAP_READINGS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * The memory of a job.
   *
   * @param count of cells or users
   * @param stateBytes of a checkpoint
   * @param heapBytes live in all TaskManagers; empty if they are not on this machine
   */
  record Held(int count, long stateBytes, OptionalLong heapBytes) {}

  @Override
  public void run(Bench bench) throws Exception {
    List<Integer> counts = bench.options().isShort() ? SHORT_COUNTS : COUNTS;
    bench.say("Memory: warming up");
    // The first jobs on a cluster leave classes, pools and buffers behind that later jobs share.
    var unusedCells = withCells(bench, counts.get(0));
    var unusedUsers = withUsers(bench, counts.get(0));
    List<Held> byCells = new ArrayList<>();
    for (int cells : counts) {
      byCells.add(reported(bench, "cells", withCells(bench, cells)));
    }
    List<Held> byUsers = new ArrayList<>();
    for (int users : counts) {
      byUsers.add(reported(bench, "users", withUsers(bench, users)));
    }
    bench.report().add(table(byCells, byUsers));
    goals(bench.goals().memory(), byCells, byUsers).forEach(bench.report()::add);
  }

  private static Held reported(Bench bench, String what, Held held) {
    bench.say(
        "Memory: %,d %s: checkpoint %,d bytes, heap %s"
            .formatted(
                held.count(),
                what,
                held.stateBytes(),
                held.heapBytes().isPresent()
                    ? "%,d bytes".formatted(held.heapBytes().getAsLong())
                    : "unknown"));
    return held;
  }

  /** Measures a job with a catalogue of N cells and no records. */
  private static Held withCells(Bench bench, int count) throws Exception {
    String cellsTopic = TOPIC_PREFIX + "cells-" + count;
    bench.topics().fillCells(cellsTopic, SyntheticCells.grid(count));
    List<CellSite> fewCells = SyntheticCells.grid(FEW_CELLS);
    Workload few = bench.workload().with(FEW_RECORDS);
    bench.topics().fill(topic(few.format(), "few"), few.messages(fewCells));
    Map<String, String> keys = keys(few.format(), "few");
    keys.put("kafka.cells-topic", cellsTopic);
    StageRun runs = new StageRun(bench);
    try (RunningJob job = runs.submit(Stage.SINKS, keys, 0)) {
      var unused = runs.await(job, count, FEW_RECORDS);
      return held(bench, job, count);
    }
  }

  /** Measures the whole job with both sinks, after one record of each of N users. */
  private static Held withUsers(Bench bench, int count) throws Exception {
    String name = "users-" + count;
    EachUserOnce users = new EachUserOnce(count, bench.workload().end(), bench.cells());
    bench.topics().fillCells(Bench.CELLS_TOPIC, bench.cells());
    bench.topics().fill(topic(MessageFormat.JSON, name), users);
    bench.store().drop();
    try (RunningJob job = bench.submit(keys(MessageFormat.JSON, name))) {
      awaitUsers(bench, job, count);
      return held(bench, job, count);
    }
  }

  private static String topic(MessageFormat format, String name) {
    return TOPIC_PREFIX + name + "." + format.profile();
  }

  private static Map<String, String> keys(MessageFormat format, String name) {
    return Bench.keys(TOPIC_PREFIX + name + ".", format);
  }

  private static void awaitUsers(Bench bench, RunningJob job, int count)
      throws IOException, InterruptedException {
    long stored = 0;
    Poll poll = new Poll(POLL, LIMIT);
    while (stored < count) {
      job.requireAlive();
      long before = stored;
      poll.pause(
          () ->
              new IOException(
                  "no user was stored for %d s; %,d of %,d users are stored"
                      .formatted(LIMIT.toSeconds(), before, count)));
      stored = bench.store().userCount();
      if (stored > before) {
        poll.restart();
      }
    }
  }

  private static Held held(Bench bench, RunningJob job, int count)
      throws IOException, InterruptedException {
    long stateBytes = stateBytes(bench, job, takeCheckpoint(bench, job));
    return new Held(count, stateBytes, liveHeap(bench.cpu()));
  }

  /** Flink's statistics are copies, and may show an earlier checkpoint as the newest one. */
  private static long stateBytes(Bench bench, RunningJob job, long checkpoint)
      throws IOException, InterruptedException {
    Poll poll = new Poll(POLL, LIMIT);
    while (true) {
      CompletedCheckpoint newest = bench.flink().checkpoints(job.id()).newest();
      if (newest != null && newest.id() >= checkpoint) {
        return newest.bytes();
      }
      poll.pause(
          () ->
              new IOException(
                  "Flink does not show checkpoint %d within %d s"
                      .formatted(checkpoint, LIMIT.toSeconds())));
    }
  }

  /** Takes a new checkpoint and returns its id: all records are behind it. */
  private static long takeCheckpoint(Bench bench, RunningJob job)
      throws IOException, InterruptedException {
    String request = bench.flink().triggerCheckpoint(job.id());
    Poll poll = new Poll(POLL, LIMIT);
    while (true) {
      Checkpoint checkpoint = bench.flink().checkpoint(job.id(), request);
      Optional<String> failure = checkpoint.failure();
      if (failure.isPresent()) {
        throw new IOException("no checkpoint could be taken: " + failure.get());
      }
      if (checkpoint.id().isPresent()) {
        return checkpoint.id().getAsLong();
      }
      poll.pause(() -> new IOException("no checkpoint within %d s".formatted(LIMIT.toSeconds())));
    }
  }

  /** The minimum of several readings, which excludes short-lived objects. */
  private static OptionalLong liveHeap(ProcessCpu processes)
      throws IOException, InterruptedException {
    List<ProcessHandle> taskManagers = processes.taskManagers();
    if (taskManagers.isEmpty()) {
      return OptionalLong.empty();
    }
    long least = Long.MAX_VALUE;
    for (int reading = 0; reading < HEAP_READINGS; reading++) {
      long bytes = 0;
      for (ProcessHandle taskManager : taskManagers) {
        bytes += LiveHeap.bytes(taskManager.pid());
      }
      least = Math.min(least, bytes);
    }
    return OptionalLong.of(least);
  }

  /** One row a size; the increase is relative to the size before. */
  static ResultTable table(List<Held> byCells, List<Held> byUsers) {
    ResultTable table =
        new ResultTable(
            "memory",
            "State and memory: per cell, of a job with a catalogue only; per user, of the whole"
                + " job after one record of each, with 10,000 cells",
            new Column("of", "of", 0),
            new Column("count", "count", 0),
            new Column("stateBytes", "checkpoint bytes", 0),
            new Column("stateBytesPerFurther", "bytes per further one", 2),
            new Column("heapBytes", "live heap bytes", 0),
            new Column("heapBytesPerFurther", "bytes per further one", 2));
    rows(table, "cells", byCells);
    rows(table, "users", byUsers);
    return table;
  }

  private static void rows(ResultTable table, String what, List<Held> sizes) {
    @Nullable Held before = null;
    for (Held held : sizes) {
      table.row(
          what,
          held.count(),
          held.stateBytes(),
          before == null ? null : statePerFurther(before, held),
          held.heapBytes().isPresent() ? held.heapBytes().getAsLong() : null,
          before == null ? null : heapPerFurther(before, held));
      before = held;
    }
  }

  /** The goals, from three sizes or more. */
  static List<Goal> goals(Goals.Memory goals, List<Held> byCells, List<Held> byUsers) {
    Held fewestCells = byCells.get(0);
    Held moreCells = byCells.get(1);
    Held manyCells = byCells.get(byCells.size() - 2);
    Held mostCells = byCells.get(byCells.size() - 1);
    return List.of(
        Goal.atMost(
            "checkpoint bytes per cell, with %,d cells".formatted(mostCells.count()),
            goals.checkpointBytesPerCell(),
            mostCells.stateBytes() / (double) mostCells.count()),
        Goal.atMost(
            "checkpoint bytes per further cell: largest catalogue, ratio to the smallest",
            goals.stateGrowth(),
            growth(statePerFurther(fewestCells, moreCells), statePerFurther(manyCells, mostCells))),
        Goal.atMost(
            "heap bytes per further cell: largest catalogue, ratio to the smallest",
            goals.heapGrowth(),
            growth(heapPerFurther(fewestCells, moreCells), heapPerFurther(manyCells, mostCells))),
        Goal.atMost(
            "checkpoint bytes per further user",
            goals.checkpointBytesPerUser(),
            statePerFurther(byUsers.get(0), byUsers.get(byUsers.size() - 1))));
  }

  /** NaN if the first increase was too small to measure: too few cells were added. */
  private static double growth(double first, double last) {
    return first > 0 ? last / first : Double.NaN;
  }

  private static double statePerFurther(Held before, Held held) {
    return (held.stateBytes() - before.stateBytes()) / (double) (held.count() - before.count());
  }

  /** NaN if the heap is unknown. */
  private static double heapPerFurther(Held before, Held held) {
    return before.heapBytes().isEmpty() || held.heapBytes().isEmpty()
        ? Double.NaN
        : (held.heapBytes().getAsLong() - before.heapBytes().getAsLong())
            / (double) (held.count() - before.count());
  }
}
