package io.lastfix.locate;

import static io.lastfix.locate.TestCells.CELL;
import static io.lastfix.locate.TestCells.FERRY_BUILDING;
import static io.lastfix.locate.TestCells.RECORD;
import static io.lastfix.locate.TestCells.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.Tower;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedTypeInformation;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NoKryoTest {
  private static Stream<TypeInformation<?>> types() {
    return Stream.of(
        RecordTypes.LOCATION_RECORD,
        RecordTypes.LOCATED_RECORD,
        RecordTypes.CELL_ENTRY,
        LedgerEntry.TYPE);
  }

  @ParameterizedTest
  @MethodSource("types")
  void whatCrossesTheNetworkHasASerializerOfOurs(TypeInformation<?> information) {
    SerializerConfig withoutKryo = new SerializerConfigImpl();
    withoutKryo.setGenericTypes(false);

    assertThat(information).isInstanceOf(VersionedTypeInformation.class);
    assertThat(information.createSerializer(withoutKryo)).isInstanceOf(VersionedSerializer.class);
  }

  @Test
  void aTypeWithoutOneWouldBeRefused() {
    SerializerConfig withoutKryo = new SerializerConfigImpl();
    withoutKryo.setGenericTypes(false);

    assertThatThrownBy(() -> TypeInformation.of(Tower.class).createSerializer(withoutKryo))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theJoinRunsWithGenericTypesDisabled() throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.createLocalEnvironment(2);
    environment.getConfig().getSerializerConfig().setGenericTypes(false);
    LocateOperator.locate(
            environment.fromData(RecordTypes.LOCATION_RECORD, RECORD),
            environment.fromData(RecordTypes.CELL_ENTRY, entry(CELL, FERRY_BUILDING)),
            LocateOptions.defaults(),
            RemovalRetention.DEFAULT,
            Duration.ofMinutes(10))
        .sinkTo(new DiscardingSink<>());

    assertThat(environment.execute().isJobExecutionResult()).isTrue();
  }
}
