package io.lastfix.bench;

import com.mongodb.client.model.Indexes;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.Report;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.servers.ConnectWorker;
import io.lastfix.bench.servers.ConnectWorker.Connector;
import io.lastfix.kit.poll.Poll;
import io.lastfix.workload.MessageFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Compares Kafka Connect's MongoDB sink with the job on the same JSON messages, in turn. Kafka
 * Connect stores each message as it is: it looks up no cell, and the last message to arrive wins.
 *
 * <p>Both begin cold in each round: Kafka Connect as a new process, the job with newly loaded
 * classes in the TaskManager. Each therefore first stores the same share of the records unmeasured,
 * in the process and classes that then store the rest. CPU and time are those of the rest, up to
 * the last change of either collection.
 *
 * <p>Kafka Connect's two connectors read the topic independently. The connector that has stored its
 * share first is paused until the other one has.
 */
final class ConnectPart implements BenchPart {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration QUIET = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** One in N records is stored before the measurement begins. */
  private static final int WARM_UP_SHARE = 5;

  /**
   * One measurement of Kafka Connect.
   *
   * @param servers the CPU of Kafka, MongoDB and any Flink process
   * @param connectSeconds CPU seconds of Kafka Connect
   */
  private record Connected(Measurement servers, double connectSeconds) {
    double connectMicros() {
      return connectSeconds * 1e6 / servers.records();
    }

    double micros() {
      return connectMicros() + servers.micros(Server.KAFKA) + servers.micros(Server.MONGODB);
    }
  }

  /** A round: the job and Kafka Connect on the same records. */
  private record Trial(Measurement job, Connected connect) {
    /** Records per CPU second of the job, as a ratio to Kafka Connect's. */
    double cpuRatio() {
      return connect.micros() / job.serversMicros();
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    if (!bench.isLocalStack()) {
      throw new IOException(
          "connect compares CPU, which is visible on the local stack only: unset LASTFIX_MONGO_URI, LASTFIX_KAFKA and LASTFIX_FLINK");
    }
    Workload workload = bench.workload().with(MessageFormat.JSON);
    Ingest ingest = new Ingest(bench);
    bench.say("Connect: warming up");
    var unused = trial(bench, ingest, workload, 0);
    List<Trial> rounds = new ArrayList<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      Trial trial = trial(bench, ingest, workload, round);
      rounds.add(trial);
      bench.say(
          "Connect, round %d: Kafka Connect %,.0f records/s, CPU %.1f µs; the job %,.0f, %.1f; records per CPU second, job/Kafka Connect: %.2f"
              .formatted(
                  round,
                  trial.connect().servers().rate(),
                  trial.connect().micros(),
                  trial.job().rate(),
                  trial.job().serversMicros(),
                  trial.cpuRatio()));
    }
    report(bench.report(), bench.goals().connect(), rounds);
  }

  /** Measures both in turn, and reverses the order every second round. */
  private static Trial trial(Bench bench, Ingest ingest, Workload workload, int round)
      throws Exception {
    long warmUp = Math.max(1, workload.records() / WARM_UP_SHARE);
    if (round % 2 == 0) {
      Measurement job = ingest.measure(workload, Map.of(), warmUp);
      return new Trial(job, measure(bench, workload, round, warmUp));
    }
    Connected connect = measure(bench, workload, round, warmUp);
    return new Trial(ingest.measure(workload, Map.of(), warmUp), connect);
  }

  private static Connected measure(Bench bench, Workload workload, int round, long warmUp)
      throws Exception {
    bench.fill(workload);
    bench.store().drop();
    // The index that History has. If the collection came with its first document, the index would
    // be built during the inserts.
    var unused =
        bench
            .store()
            .database()
            .getCollection(ConnectWorker.HISTORY)
            .createIndex(Indexes.ascending("user", "ts"));
    Path directory = bench.options().output().resolve("connect");
    try (ConnectWorker worker =
        ConnectWorker.start(
            "lastfix-bench-%d-%d".formatted(System.currentTimeMillis(), round),
            bench.config().kafka().bootstrapServers(),
            bench.config().historyMongo().uri(),
            Bench.topic(workload),
            bench.options().parallelism(),
            directory)) {
      warmUp(bench, worker, workload, warmUp);
      Sample paused = sample(bench, worker);
      for (Connector connector : Connector.values()) {
        worker.resume(connector);
      }
      Sample first = await(bench, worker, now -> now.hasMoreThan(paused));
      Sample last = first;
      while (true) {
        Sample now = sample(bench, worker);
        if (now.hasMoreThan(last)) {
          last = now;
        } else if (last.history() >= workload.records()
            && now.nanos() - last.nanos() > QUIET.toNanos()) {
          break;
        } else if (now.nanos() - last.nanos() > PATIENCE.toNanos()) {
          throw new IOException(
              "Kafka Connect stored nothing for %d s; %,d of %,d records are stored. See %s"
                  .formatted(PATIENCE.toSeconds(), last.history(), workload.records(), directory));
        }
        worker.requireAlive();
        Thread.sleep(POLL.toMillis());
      }
      long users = bench.store().count(ConnectWorker.LAST_KNOWN_LOCATION);
      long expected = bench.reportingUsers(workload).size();
      if (last.history() != workload.records() || users != expected) {
        throw new IOException(
            "Kafka Connect has stored %,d records of %,d, and %,d users of %,d"
                .formatted(last.history(), workload.records(), users, expected));
      }
      return new Connected(
          new Measurement(
              stored(first, last),
              (last.nanos() - first.nanos()) / 1e9,
              last.cpu().since(first.cpu())),
          last.connectSeconds() - first.connectSeconds());
    }
  }

  /** A record is one document of History and one write of its user: each counts as one half. */
  private static long stored(Sample first, Sample last) {
    return (last.history() - first.history() + last.userWrites() - first.userWrites()) / 2;
  }

  /** Kafka Connect's progress at one instant. */
  private record Sample(
      long nanos, long history, long userWrites, ProcessCpu.Reading cpu, double connectSeconds) {
    boolean hasMoreThan(Sample other) {
      return history > other.history || userWrites > other.userWrites;
    }

    long stored(Connector connector) {
      return connector == Connector.TO_HISTORY ? history : userWrites;
    }
  }

  private static Sample sample(Bench bench, ConnectWorker worker) {
    return new Sample(
        System.nanoTime(),
        bench.store().count(ConnectWorker.HISTORY),
        bench.store().writes(ConnectWorker.LAST_KNOWN_LOCATION),
        bench.cpu().read(),
        worker.cpuSeconds());
  }

  /** Leaves both connectors paused, each with its share stored and nothing in flight. */
  private static void warmUp(Bench bench, ConnectWorker worker, Workload workload, long records)
      throws Exception {
    Set<Connector> running = EnumSet.allOf(Connector.class);
    Sample now = await(bench, worker, it -> it.history() > 0 || it.userWrites() > 0);
    while (!running.isEmpty()) {
      Sample seen = now;
      for (Connector connector : List.copyOf(running)) {
        if (seen.stored(connector) >= records) {
          worker.pause(connector);
          running.remove(connector);
        }
      }
      if (!running.isEmpty()) {
        now = await(bench, worker, it -> it.hasMoreThan(seen));
      }
    }
    long quietSince = System.nanoTime();
    while (System.nanoTime() - quietSince < QUIET.toNanos()) {
      Thread.sleep(POLL.toMillis());
      Sample next = sample(bench, worker);
      if (next.hasMoreThan(now)) {
        now = next;
        quietSince = System.nanoTime();
      }
    }
    if (Math.max(now.history(), now.userWrites()) > workload.records() / 2) {
      throw new IOException(
          "Kafka Connect had stored %,d and %,d of %,d records before it was paused: raise --records"
              .formatted(now.history(), now.userWrites(), workload.records()));
    }
  }

  private static Sample await(Bench bench, ConnectWorker worker, Predicate<Sample> condition)
      throws Exception {
    Poll poll = new Poll(POLL, PATIENCE);
    while (true) {
      Sample now = sample(bench, worker);
      if (condition.test(now)) {
        return now;
      }
      worker.requireAlive();
      poll.pause(
          () ->
              new IOException(
                  "Kafka Connect stored no record within %d s".formatted(PATIENCE.toSeconds())));
    }
  }

  private static void report(Report report, Goals.Connect goals, List<Trial> rounds) {
    ResultTable table =
        new ResultTable(
            "connect",
            "Kafka Connect's MongoDB sink and the job, in turn: JSON, uniformly distributed users",
            new Column("what", "what", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "min–max", 0),
            new Column("ownMicros", "Connect or Flink µs/record", 1),
            new Column("kafkaMicros", "Kafka µs", 1),
            new Column("mongodbMicros", "MongoDB µs", 1),
            new Column("totalMicros", "total µs", 1),
            new Column("cpuRatio", "records per CPU second, ratio to Kafka Connect", 2),
            new Column("cpuRatioSpread", "its min–max", 2));
    List<Connected> connects = rounds.stream().map(Trial::connect).toList();
    List<Measurement> jobs = rounds.stream().map(Trial::job).toList();
    List<Double> ratios = rounds.stream().map(Trial::cpuRatio).toList();
    row(
        table,
        "Kafka Connect, both collections",
        connects.stream().map(Connected::servers).toList(),
        connects.stream().map(Connected::connectMicros).toList(),
        connects.stream().map(Connected::micros).toList(),
        List.of(1.0));
    row(
        table,
        "the job",
        jobs,
        jobs.stream().map(it -> it.micros(Server.FLINK)).toList(),
        jobs.stream().map(Measurement::serversMicros).toList(),
        ratios);
    report.add(table);
    report.add(
        Goal.atLeast(
            "records per CPU second, ratio to Kafka Connect's MongoDB sink",
            goals.recordsPerCpuRatio(),
            Statistics.median(ratios)));
  }

  private static void row(
      ResultTable table,
      String what,
      List<Measurement> servers,
      List<Double> ownMicros,
      List<Double> totalMicros,
      List<Double> ratios) {
    table.row(
        what,
        Measurement.medianOf(servers, Measurement::rate),
        Statistics.spread(servers.stream().map(Measurement::rate).toList(), 0),
        Statistics.median(ownMicros),
        Measurement.medianOf(servers, it -> it.micros(Server.KAFKA)),
        Measurement.medianOf(servers, it -> it.micros(Server.MONGODB)),
        Statistics.median(totalMicros),
        Statistics.median(ratios),
        Statistics.spread(ratios, 2));
  }
}
