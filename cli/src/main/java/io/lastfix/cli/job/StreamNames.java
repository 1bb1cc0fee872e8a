package io.lastfix.cli.job;

import io.lastfix.jobs.Jobs;
import java.util.Iterator;

/** The names of the jobs that {@code submit}, {@code stop} and {@code supervise} take. */
final class StreamNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return Jobs.of(Jobs.Kind.STREAM).stream().map(Jobs.Job::name).iterator();
  }
}
