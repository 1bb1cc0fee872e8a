package io.lastfix.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoublePredicate;

/**
 * The targets that a report compares its figures with, from {@code docs/performance/goals.yaml};
 * that file gives each key's meaning and unit. Shares and ratios are numbers above 0; counts and
 * sizes are 0 or more.
 */
record Goals(
    Ingest ingest,
    Query query,
    Freshness freshness,
    Burst burst,
    Memory memory,
    Decoders decoders,
    Located located,
    Analytics analytics,
    Connect connect,
    Gateway gateway) {
  private static final String RESOURCE = "goals.yaml";
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  record Ingest(
      double uniformRateShare,
      double mixedRateShare,
      double zipfRateShare,
      double uniformCpuShare,
      double uniformCpuMicros) {}

  record Query(int perSecond, double p99Millis, double ingestShare) {}

  record Freshness(double medianMillis, double p95Millis) {}

  record Burst(double recordsLost, double restarts, double heapShare) {}

  record Memory(
      double checkpointBytesPerCell,
      double checkpointBytesPerUser,
      double stateGrowth,
      double heapGrowth) {}

  record Decoders(double speedShare) {}

  record Located(double flinkCpuRatio) {}

  record Analytics(double p95Millis, double rateRatio, double documentsPerSecond) {}

  record Connect(double recordsPerCpuRatio) {}

  record Gateway(
      double cpuMicros1kb,
      double cpuMicros33kb,
      double p99Millis,
      double registrationSeconds,
      double failures,
      double wrongPresences,
      double mqttCpuMicros,
      double twoGatewaysRatio) {}

  /**
   * The goals of this build.
   *
   * @throws IllegalArgumentException if the file that was built in is wrong
   */
  static Goals ofThisBuild() {
    try (InputStream in =
        Objects.requireNonNull(Goals.class.getResourceAsStream(RESOURCE), RESOURCE)) {
      return parse(new String(in.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the goals.
   *
   * @param yaml a mapping of parts, each a mapping of its keys to numbers
   * @throws IllegalArgumentException naming every key that is missing, unknown or wrong
   */
  static Goals parse(String yaml) {
    Reader reader = Reader.of(yaml);
    Goals goals =
        new Goals(
            new Ingest(
                reader.positive("ingest.uniform-rate-share"),
                reader.positive("ingest.mixed-rate-share"),
                reader.positive("ingest.zipf-rate-share"),
                reader.positive("ingest.uniform-cpu-share"),
                reader.positive("ingest.uniform-cpu-micros")),
            new Query(
                reader.positiveInt("query.per-second"),
                reader.positive("query.p99-millis"),
                reader.positive("query.ingest-share")),
            new Freshness(
                reader.positive("freshness.median-millis"),
                reader.positive("freshness.p95-millis")),
            new Burst(
                reader.zeroOrMore("burst.records-lost"),
                reader.zeroOrMore("burst.restarts"),
                reader.positive("burst.heap-share")),
            new Memory(
                reader.zeroOrMore("memory.checkpoint-bytes-per-cell"),
                reader.zeroOrMore("memory.checkpoint-bytes-per-user"),
                reader.positive("memory.state-growth"),
                reader.positive("memory.heap-growth")),
            new Decoders(reader.positive("decoders.speed-share")),
            new Located(reader.positive("located.flink-cpu-ratio")),
            new Analytics(
                reader.positive("analytics.p95-millis"),
                reader.positive("analytics.rate-ratio"),
                reader.positive("analytics.documents-per-second")),
            new Connect(reader.positive("connect.records-per-cpu-ratio")),
            new Gateway(
                reader.positive("gateway.cpu-micros-1kb"),
                reader.positive("gateway.cpu-micros-33kb"),
                reader.positive("gateway.p99-millis"),
                reader.positive("gateway.registration-seconds"),
                reader.zeroOrMore("gateway.failures"),
                reader.zeroOrMore("gateway.wrong-presences"),
                reader.positive("gateway.mqtt-cpu-micros"),
                reader.positive("gateway.two-gateways-ratio")));
    reader.finish();
    return goals;
  }

  /** Reads keys one by one and collects what is wrong with them. */
  private static final class Reader {
    private final Map<String, JsonNode> values = new TreeMap<>();
    private final Set<String> known = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();

    static Reader of(String yaml) {
      Reader reader = new Reader();
      try {
        JsonNode root = YAML.readTree(yaml);
        reader.collect("", root);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(RESOURCE + " is not YAML: " + e.getOriginalMessage(), e);
      }
      return reader;
    }

    private void collect(String prefix, JsonNode node) {
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        String key = prefix + field.getKey();
        if (field.getValue().isObject()) {
          collect(key + ".", field.getValue());
        } else {
          values.put(key, field.getValue());
        }
      }
    }

    double positive(String key) {
      return number(key, "a number above 0", value -> value > 0);
    }

    double zeroOrMore(String key) {
      return number(key, "a number of 0 or more", value -> value >= 0);
    }

    int positiveInt(String key) {
      double value = positive(key);
      if (!Double.isNaN(value) && (value != Math.rint(value) || value > Integer.MAX_VALUE)) {
        problems.add("%s: expected a whole number, found %s".formatted(key, values.get(key)));
      }
      return (int) value;
    }

    /** Returns the value; NaN, which no comparison holds for, if the key is missing or wrong. */
    private double number(String key, String expected, DoublePredicate isValid) {
      known.add(key);
      JsonNode value = values.get(key);
      if (value == null) {
        problems.add("%s: missing".formatted(key));
        return Double.NaN;
      }
      double number = value.doubleValue();
      if (!value.isNumber() || !Double.isFinite(number) || !isValid.test(number)) {
        problems.add("%s: expected %s, found %s".formatted(key, expected, value));
        return Double.NaN;
      }
      return number;
    }

    void finish() {
      values.keySet().stream()
          .filter(key -> !known.contains(key))
          .forEach(key -> problems.add("%s: unknown key".formatted(key)));
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(RESOURCE + ": " + String.join("; ", problems));
      }
    }
  }
}
