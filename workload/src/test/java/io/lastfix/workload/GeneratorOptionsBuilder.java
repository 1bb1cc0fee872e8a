package io.lastfix.workload;

import java.time.Instant;
import java.time.InstantSource;

/** The defaults of the command line, except for those that a test sets. */
final class GeneratorOptionsBuilder {
  private final GeneratorOptions.Builder options = GeneratorOptions.builder();

  GeneratorOptionsBuilder count(long value) {
    options.count = value;
    return this;
  }

  GeneratorOptionsBuilder users(int value) {
    options.users = value;
    return this;
  }

  GeneratorOptionsBuilder format(MessageFormat value) {
    options.format = value;
    return this;
  }

  GeneratorOptionsBuilder seed(long value) {
    options.seed = value;
    return this;
  }

  GeneratorOptionsBuilder skew(double value) {
    options.skew = value;
    return this;
  }

  GeneratorOptionsBuilder late(double value) {
    options.late = value;
    return this;
  }

  GeneratorOptionsBuilder malformed(double value) {
    options.malformed = value;
    return this;
  }

  GeneratorOptionsBuilder duplicates(double value) {
    options.duplicates = value;
    return this;
  }

  GeneratorOptionsBuilder fixes(double value) {
    options.fixes = value;
    return this;
  }

  GeneratorOptionsBuilder batch(int value) {
    options.batch = value;
    return this;
  }

  GeneratorOptionsBuilder start(Instant value) {
    options.start = value;
    return this;
  }

  GeneratorOptions build(InstantSource clock) {
    return options.build(clock);
  }
}
