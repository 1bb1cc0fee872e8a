package io.lastfix.cli.bench;

import com.mongodb.client.model.Indexes;
import io.lastfix.cli.bench.ProcessCpu.Server;
import io.lastfix.cli.bench.ResultTable.Column;
import io.lastfix.cli.push.MessageFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Kafka Connect's MongoDB sink and the job over the same JSON messages, in turn. Kafka Connect
 * stores each message as it is: it looks up no cell, and the last to arrive wins.
 */
final class ConnectPart implements BenchPart {
  private static final double CPU_RATIO = 3;
  private static final long POLL_MILLIS = 50;
  private static final Duration QUIET = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * One measurement of Kafka Connect.
   *
   * @param servers Kafka, MongoDB, and what is there of Flink
   * @param connectSeconds of CPU
   */
  private record Connected(Measurement servers, double connectSeconds) {
    double connectMicros() {
      return connectSeconds * 1e6 / servers.records();
    }

    double micros() {
      return connectMicros() + servers.micros(Server.KAFKA) + servers.micros(Server.MONGODB);
    }
  }

  /** A round. */
  private record Trial(Measurement job, Connected connect) {
    /** Records per CPU second, of those of Kafka Connect. */
    double cpuRatio() {
      return connect.micros() / job.serversMicros();
    }
  }

  @Override
  public void run(Bench bench) throws Exception {
    if (!bench.isLocalStack()) {
      throw new IOException(
          "connect compares CPU, which is seen on the local stack alone: leave LASTFIX_MONGO_URI, LASTFIX_KAFKA and LASTFIX_FLINK out");
    }
    Workload workload = bench.workload().with(MessageFormat.JSON);
    Ingest ingest = new Ingest(bench);
    List<Trial> rounds = new ArrayList<>();
    for (int round = 1; round <= bench.options().rounds(); round++) {
      Connected connect = measure(bench, workload, round);
      Trial trial = new Trial(ingest.measure(workload), connect);
      rounds.add(trial);
      bench.say(
          "Connect, round %d: Kafka Connect %,.0f records/s, CPU %.1f µs; the job %,.0f, %.1f; records per CPU second %.2f of Kafka Connect's"
              .formatted(
                  round,
                  connect.servers().rate(),
                  connect.micros(),
                  trial.job().rate(),
                  trial.job().serversMicros(),
                  trial.cpuRatio()));
    }
    report(bench.report(), rounds);
  }

  private static Connected measure(Bench bench, Workload workload, int round) throws Exception {
    bench.fill(workload);
    bench.store().drop();
    // As History has it; made with the first document, it would be built beside the inserts.
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
      Sample first = awaitMore(bench, worker);
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
              "Kafka Connect stored nothing for %d s: %,d of %,d records are. See %s"
                  .formatted(PATIENCE.toSeconds(), last.history(), workload.records(), directory));
        }
        worker.requireAlive();
        Thread.sleep(POLL_MILLIS);
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
              last.history() - first.history(),
              (last.nanos() - first.nanos()) / 1e9,
              last.cpu().since(first.cpu())),
          last.connectSeconds() - first.connectSeconds());
    }
  }

  /** How far Kafka Connect is at one moment. */
  private record Sample(
      long nanos, long history, long userWrites, ProcessCpu.Reading cpu, double connectSeconds) {
    boolean hasMoreThan(Sample other) {
      return history > other.history || userWrites > other.userWrites;
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

  private static Sample awaitMore(Bench bench, ConnectWorker worker) throws Exception {
    long began = System.nanoTime();
    while (System.nanoTime() - began < PATIENCE.toNanos()) {
      Sample now = sample(bench, worker);
      if (now.history() > 0) {
        return now;
      }
      worker.requireAlive();
      Thread.sleep(POLL_MILLIS);
    }
    throw new IOException(
        "Kafka Connect stored no record within %d s".formatted(PATIENCE.toSeconds()));
  }

  private static void report(Report report, List<Trial> rounds) {
    ResultTable table =
        new ResultTable(
            "connect",
            "Kafka Connect's MongoDB sink and the job, in turn: JSON, uniformly distributed users",
            new Column("what", "what", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "least–most", 0),
            new Column("ownMicros", "Connect or Flink µs/record", 1),
            new Column("kafkaMicros", "Kafka µs", 1),
            new Column("mongodbMicros", "MongoDB µs", 1),
            new Column("totalMicros", "total µs", 1),
            new Column("cpuRatio", "records per CPU second, of Kafka Connect's", 2));
    List<Connected> connects = rounds.stream().map(Trial::connect).toList();
    List<Measurement> jobs = rounds.stream().map(Trial::job).toList();
    double ratio = Statistics.median(rounds.stream().map(Trial::cpuRatio).toList());
    row(
        table,
        "Kafka Connect, both collections",
        connects.stream().map(Connected::servers).toList(),
        connects.stream().map(Connected::connectMicros).toList(),
        connects.stream().map(Connected::micros).toList(),
        1);
    row(
        table,
        "the job",
        jobs,
        jobs.stream().map(it -> it.micros(Server.FLINK)).toList(),
        jobs.stream().map(Measurement::serversMicros).toList(),
        ratio);
    report.add(table);
    report.add(
        Goal.atLeast("records per CPU second, of Kafka Connect's MongoDB sink", CPU_RATIO, ratio));
  }

  private static void row(
      ResultTable table,
      String what,
      List<Measurement> servers,
      List<Double> ownMicros,
      List<Double> totalMicros,
      double ratio) {
    table.row(
        what,
        Measurement.medianOf(servers, Measurement::rate),
        Statistics.spread(servers.stream().map(Measurement::rate).toList(), 0),
        Statistics.median(ownMicros),
        Measurement.medianOf(servers, it -> it.micros(Server.KAFKA)),
        Measurement.medianOf(servers, it -> it.micros(Server.MONGODB)),
        Statistics.median(totalMicros),
        ratio);
  }
}
