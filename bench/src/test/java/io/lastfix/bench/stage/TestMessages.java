package io.lastfix.bench.stage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.RawMessage;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

/** Bounded sources of messages, numbered from 0. */
final class TestMessages {
  private TestMessages() {}

  /** As many cells, 1-1-1-0 and on, all at one place. */
  static DataGeneratorSource<RawMessage> cells(int count) {
    return source(
        "lastfix.cells",
        count,
        i -> "{\"cell\":\"1-1-1-%d\",\"radio\":\"LTE\",\"lon\":1.0,\"lat\":2.0}".formatted(i));
  }

  static DataGeneratorSource<RawMessage> locations(
      int count, GeneratorFunction<Long, String> json) {
    return source("lastfix.location.json", count, json);
  }

  private static DataGeneratorSource<RawMessage> source(
      String topic, int count, GeneratorFunction<Long, String> text) {
    return new DataGeneratorSource<>(
        i -> new RawMessage(topic, 0, i, null, text.map(i).getBytes(UTF_8)),
        count,
        TypeInformation.of(RawMessage.class));
  }
}
