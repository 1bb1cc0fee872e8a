package io.lastfix.cli.bench;

/** One question that the benchmark answers. */
interface BenchPart {
  /** Measures, and puts what it found into the bench's report. */
  void run(Bench bench) throws Exception;
}
