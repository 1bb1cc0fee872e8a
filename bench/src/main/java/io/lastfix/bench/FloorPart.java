package io.lastfix.bench;

import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import io.lastfix.bench.measure.Statistics;
import io.lastfix.bench.servers.Loader;
import io.lastfix.bench.servers.Loader.Form;
import io.lastfix.model.LocatedRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The rate at which the driver alone writes the same documents to this MongoDB. */
final class FloorPart implements BenchPart {
  /** The pilot's form is slow and serves as a reference only: it writes a part of the records. */
  private static final int PILOT_SHARE = 10;

  private static final int SINGLE_SHARE = 100;
  private static final List<Integer> LOADERS = List.of(4, 8, Bench.MAX_LOADERS);

  @Override
  public void run(Bench bench) throws Exception {
    List<LocatedRecord> records = bench.workload().located(bench.cells());
    Map<Form, List<Measurement>> found = new EnumMap<>(Form.class);
    bench.say("Floor: warming up");
    var unused = measure(bench, share(records, PILOT_SHARE), Form.BOTH);
    for (int round = 1; round <= bench.options().rounds(); round++) {
      for (Form form : BenchPart.inTurn(List.of(Form.values()), round)) {
        Measurement measured = measure(bench, subset(records, form), form);
        found.computeIfAbsent(form, any -> new ArrayList<>()).add(measured);
        bench.say(
            "Floor, round %d: %s: %,.0f records/s".formatted(round, form.words(), measured.rate()));
      }
    }
    ResultTable table =
        new ResultTable(
            "floor",
            "Floor: the same documents, written by loaders with the driver alone (%d threads, bulks of %,d)"
                .formatted(bench.loaders(), Loader.BULK),
            new Column("form", "what is written", 0),
            new Column("recordsPerSecond", "records/s", 0),
            new Column("spread", "min–max", 0),
            new Column("mongodbMicros", "MongoDB µs/record", 1),
            new Column("clientMicros", "client µs/record", 1));
    found.forEach(
        (form, rounds) ->
            table.row(
                form.words(),
                Measurement.medianOf(rounds, Measurement::rate),
                Statistics.spread(rounds.stream().map(Measurement::rate).toList(), 0),
                Measurement.medianOf(rounds, it -> it.micros(Server.MONGODB)),
                Measurement.medianOf(rounds, Measurement::clientMicros)));
    bench.report().add(table);
  }

  private static List<LocatedRecord> subset(List<LocatedRecord> records, Form form) {
    return switch (form) {
      case HISTORY, LAST_KNOWN_LOCATION, BOTH, BOTH_JOINED, BOTH_RETRYABLE -> records;
      case PILOT_BULK -> share(records, PILOT_SHARE);
      case PILOT_SINGLE -> share(records, SINGLE_SHARE);
    };
  }

  private static List<LocatedRecord> share(List<LocatedRecord> records, int share) {
    return records.subList(0, Math.max(1, records.size() / share));
  }

  /** Measures which number of loader threads is the fastest here. */
  static int bestLoaders(Bench bench) throws Exception {
    List<LocatedRecord> records = share(bench.workload().located(bench.cells()), PILOT_SHARE);
    var warmUp = measure(bench, records, Form.BOTH, Bench.MAX_LOADERS);
    bench.say("Floor: the loader warmed up with %,.0f records/s".formatted(warmUp.rate()));
    int best = 0;
    double bestRate = 0;
    for (int threads : LOADERS) {
      Measurement measured = measure(bench, records, Form.BOTH, threads);
      bench.say("The loader with %d threads: %,.0f records/s".formatted(threads, measured.rate()));
      if (measured.rate() > bestRate) {
        best = threads;
        bestRate = measured.rate();
      }
    }
    return best;
  }

  /** Writes records to an empty database. */
  static Measurement measure(Bench bench, List<LocatedRecord> records, Form form) throws Exception {
    return measure(bench, records, form, bench.loaders());
  }

  private static Measurement measure(
      Bench bench, List<LocatedRecord> records, Form form, int threads) throws Exception {
    bench.store().drop();
    Loader loader =
        new Loader(bench.config(), bench.store(), threads, bench.options().parallelism());
    loader.provision(records);
    ProcessCpu.Reading before = bench.cpu().read();
    long began = System.nanoTime();
    loader.load(records, form);
    double seconds = (System.nanoTime() - began) / 1e9;
    return new Measurement(records.size(), seconds, bench.cpu().read().since(before));
  }
}
