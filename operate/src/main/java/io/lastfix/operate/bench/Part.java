package io.lastfix.operate.bench;

import io.lastfix.cluster.Installation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The parts of the benchmark, in the order in which they are measured. */
public enum Part {
  FLOOR("the rate of plain loaders"),
  INGEST("the whole job, compared with those loaders"),
  TUNING("ingest with one setting changed at a time"),
  LOCATED("what the topic of located records costs"),
  ANALYTICS("counts: how late they are, what they cost, and how fast History is counted"),
  CONNECT("Kafka Connect's MongoDB sink, compared with the job"),
  STAGES("where the job's time goes"),
  DECODERS("decoders and serializers alone"),
  QUERY("queries while the job ingests"),
  FRESHNESS("time until a query finds a record"),
  BURST("twenty times the steady rate for a minute"),
  MEMORY("state and heap per cell and per user"),
  SCALE("rate by parallelism"),
  GATEWAY("devices' requests, registrations, heartbeats and MQTT messages");

  private final String words;

  Part(String words) {
    this.words = words;
  }

  /** What it measures, for the user. */
  public String words() {
    return words;
  }

  /** The name on the command line. */
  public String argument() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of all parts. */
  public static List<String> arguments() {
    return Arrays.stream(values()).map(Part::argument).toList();
  }

  /**
   * The parts of these names in any case, in the order of the parts; the default ones if there is
   * no name.
   *
   * @throws IllegalArgumentException if a name is unknown
   */
  public static Set<Part> of(List<String> arguments) {
    if (arguments.isEmpty()) {
      return defaults();
    }
    Set<Part> parts = EnumSet.noneOf(Part.class);
    for (String argument : arguments) {
      parts.add(
          Arrays.stream(values())
              .filter(part -> part.argument().equalsIgnoreCase(argument))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "unknown part '%s': expected any of %s"
                              .formatted(argument, String.join(", ", arguments())))));
    }
    return parts;
  }

  /** Without those that take long, or need what an installation lacks. */
  private static Set<Part> defaults() {
    Set<Part> parts =
        EnumSet.complementOf(EnumSet.of(TUNING, LOCATED, ANALYTICS, CONNECT, GATEWAY));
    if (Installation.isArchive()) {
      parts.remove(DECODERS);
    }
    return parts;
  }
}
