package io.lastfix.cli.job;

import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.Jobs.Job;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The jobs that {@code submit}, {@code stop} and {@code supervise} take, by their names. */
final class StreamNames implements Iterable<String>, ITypeConverter<Job> {
  static final List<Job> JOBS = Jobs.of(Jobs.Kind.STREAM);

  @Override
  public Iterator<String> iterator() {
    return names().iterator();
  }

  private static List<String> names() {
    return JOBS.stream().map(Job::name).toList();
  }

  @Override
  public Job convert(String text) {
    return JOBS.stream()
        .filter(job -> job.name().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "expected one of %s (case-sensitive) but was '%s'".formatted(names(), text)));
  }
}
