package io.lastfix.bench;

import io.lastfix.bench.measure.CommandLineText;
import io.lastfix.bench.measure.JobAccess;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.bench.BenchOptions;
import io.lastfix.operate.bench.Benchmark;
import io.lastfix.operate.bench.Part;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The measurements, as {@code lastfix bench} finds them. */
public final class BenchRun implements Benchmark {
  @Override
  public Results run(
      Servers servers,
      JobSettings settings,
      BenchOptions options,
      Set<Part> parts,
      List<String> commandLine,
      Consumer<String> progress)
      throws Exception {
    try (Bench bench = new Bench(new JobAccess(servers, settings), options, progress)) {
      bench.requireQuiet();
      bench.cleanUp();
      HostInfo.describe(bench, CommandLineText.withoutSecrets(commandLine));
      List<Exception> failures = new ArrayList<>();
      for (Part part : parts) {
        String name = part.argument();
        bench.say("==> " + name + ": " + part.words());
        bench.requireQuiet();
        try {
          of(part).run(bench);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted while " + name + " was measured", e);
        } catch (Exception e) {
          bench.say("%s has failed: %s".formatted(name, e.getMessage()));
          failures.add(new IOException("%s: %s".formatted(name, e.getMessage()), e));
        }
        bench.report().write(options.output());
      }
      bench.cleanUp();
      return bench.report().results(failures);
    }
  }

  static BenchPart of(Part part) {
    return switch (part) {
      case FLOOR -> new FloorPart();
      case INGEST -> new IngestPart();
      case TUNING -> new TuningPart();
      case LOCATED -> new LocatedPart();
      case ANALYTICS -> new AnalyticsPart();
      case CONNECT -> new ConnectPart();
      case STAGES -> new StagesPart();
      case DECODERS -> new DecodersPart();
      case QUERY -> new QueryPart();
      case FRESHNESS -> new FreshnessPart();
      case BURST -> new BurstPart();
      case MEMORY -> new MemoryPart();
      case SCALE -> new ScalePart();
      case GATEWAY -> new GatewayPart();
    };
  }
}
