package io.lastfix.microbenchmarks;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import io.lastfix.parse.RawMessage;
import io.lastfix.serialization.RecordTypes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The cost of sending one value between tasks, or of keeping it in state. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SerializerBenchmark {
  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);
  private static final LocationRecord RECORD =
      new LocationRecord(
          Long.toString(SampleMessages.user(0)), CELL, Radio.LTE, SampleMessages.NOW_MILLIS);

  @Param({"RawMessage", "LocationRecord", "LocatedRecord", "CellEntry"})
  private String type = "";

  private Measured<?> measured;

  /** Called by JMH. */
  @Setup
  public void prepare() throws IOException {
    measured =
        switch (type) {
          case "RawMessage" ->
              new Measured<>(
                  TypeInformation.of(RawMessage.class),
                  new RawMessage(
                      "lastfix.arcanum", 0, 1_000_000, null, SampleMessages.of("arcanum", 1)[0]));
          case "LocationRecord" -> new Measured<>(RecordTypes.LOCATION_RECORD, RECORD);
          case "LocatedRecord" -> new Measured<>(RecordTypes.LOCATED_RECORD, RECORD.at(POSITION));
          case "CellEntry" ->
              new Measured<>(
                  RecordTypes.CELL_ENTRY,
                  new CellEntry(
                      CELL, List.of(new Tower(Radio.LTE, List.of(new CellVersion(0, POSITION))))));
          default -> throw new IllegalArgumentException("type: none is named " + type);
        };
  }

  /** Writes the value and returns its size in bytes. */
  @Benchmark
  public int serialize() throws IOException {
    return measured.serialize();
  }

  /** Reads the value. */
  @Benchmark
  public Object deserialize() throws IOException {
    return measured.deserialize();
  }

  /** A value, and the serializer that the job uses for it. */
  private static final class Measured<T> {
    private final T value;
    private final TypeSerializer<T> serializer;
    private final DataOutputSerializer output = new DataOutputSerializer(1024);
    private final DataInputDeserializer input = new DataInputDeserializer();
    private final byte[] bytes;

    Measured(TypeInformation<T> type, T value) throws IOException {
      this.value = value;
      this.serializer = type.createSerializer(new SerializerConfigImpl());
      serialize();
      this.bytes = output.getCopyOfBuffer();
    }

    int serialize() throws IOException {
      output.clear();
      serializer.serialize(value, output);
      return output.length();
    }

    Object deserialize() throws IOException {
      input.setBuffer(bytes);
      return serializer.deserialize(input);
    }
  }
}
