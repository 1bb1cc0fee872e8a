package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.RejectionReason;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class MessageSerializersTest {
  private static final RawMessage FULL =
      new RawMessage("lastfix.location.json", 3, Long.MAX_VALUE, new byte[] {1}, new byte[] {2, 3});
  private static final RawMessage TIMED =
      new RawMessage(
          "t", 0, 0, null, -1, new byte[] {7}, 1, 1_795_176_000_000L, 5, HeaderList.NONE);
  private static final RawMessage MINIMAL = new RawMessage("t", 0, 0, null, null);
  private static final RawMessage SENT =
      MINIMAL.with(
          HeaderList.of(
              List.of("device", "auth", "speaks-for"),
              List.of(new byte[] {1, 2}, new byte[] {3}, new byte[0])));
  private static final RawMessage EMPTY = new RawMessage("t", 0, 0, new byte[0], new byte[0]);

  private static <T> byte[] write(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return out.getCopyOfBuffer();
  }

  /** A view of another program's headers, as that of Kafka's. */
  private static final MessageHeaders VIEW =
      new MessageHeaders() {
        @Override
        public byte[] last(String name) {
          return new byte[] {1};
        }

        @Override
        public void forEach(BiConsumer<String, byte[]> action) {
          action.accept("auth", new byte[] {1});
        }
      };

  @Test
  void aViewOfHeadersComesBackAsACopyThatEqualsIt() throws IOException {
    RawMessage viewed = FULL.with(VIEW);

    assertThat(roundTrip(RawMessageSerializer.INSTANCE, viewed))
        .isEqualTo(viewed)
        .isNotEqualTo(FULL)
        .isEqualTo(FULL.with(HeaderList.of(List.of("auth"), List.of(new byte[] {1}))));
  }

  private static <T> T roundTrip(TypeSerializer<T> serializer, T value) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(write(serializer, value));
    DataOutputSerializer copied = new DataOutputSerializer(64);
    serializer.copy(in, copied);
    assertThat(in.available()).isZero();
    return serializer.deserialize(new DataInputDeserializer(copied.getCopyOfBuffer()));
  }

  @Test
  void messagesComeBackAsTheyWere() throws IOException {
    for (RawMessage message : new RawMessage[] {FULL, MINIMAL, EMPTY, TIMED, SENT}) {
      assertThat(roundTrip(RawMessageSerializer.INSTANCE, message)).isEqualTo(message);
    }
  }

  @Test
  void rejectedMessagesComeBackAsTheyWere() throws IOException {
    SerializerConfigImpl withoutKryo = new SerializerConfigImpl();
    withoutKryo.setGenericTypes(false);
    TypeSerializer<RejectedMessage> serializer =
        TypeInformation.of(RejectedMessage.class).createSerializer(withoutKryo);
    for (RejectionReason reason : RejectionReason.values()) {
      RejectedMessage rejected =
          new RejectedMessage(SENT, new Rejection(reason, "détail 😀", 7), "parse");
      assertThat(roundTrip(serializer, rejected)).isEqualTo(rejected);
    }
  }

  @Test
  void whatWasLeftOutOfAMessageComesBackAsItsLength() throws IOException {
    for (RawMessage message :
        new RawMessage[] {
          FULL.keeping(false, true), FULL.keeping(true, false), FULL.keeping(false, false)
        }) {
      assertThat(roundTrip(RawMessageSerializer.INSTANCE, message))
          .isEqualTo(message)
          .isNotEqualTo(FULL)
          .satisfies(read -> assertThat(read.bytes()).isEqualTo(FULL.bytes()));
    }
  }

  @Test
  void aRejectedMessageCarriesNoMoreThanItsLimit() {
    Rejection rejection = new Rejection(RejectionReason.MESSAGE_TOO_LARGE, "d");
    byte[] key = {1};
    byte[] most = new byte[RejectedMessage.MAX_BYTES - 1];
    RawMessage kept = new RawMessage("t", 1, 2, key, most);
    RawMessage tooLarge = new RawMessage("t", 1, 2, key, new byte[RejectedMessage.MAX_BYTES]);
    assertThat(new RejectedMessage(kept, rejection, "s").message()).isSameAs(kept);
    assertThat(new RejectedMessage(tooLarge, rejection, "s"))
        .isEqualTo(new RejectedMessage(tooLarge.keeping(false, false), rejection, "s"))
        .satisfies(
            rejected ->
                assertThat(rejected.message().omittedBytes())
                    .isEqualTo(RejectedMessage.MAX_BYTES + 1L));
  }

  /** Another layout needs another version: old savepoints hold these bytes. */
  @Test
  void theLayoutsStayAsTheyAre() throws IOException {
    assertThat(
            write(RawMessageSerializer.INSTANCE, new RawMessage("t", 1, 2, null, new byte[] {9})))
        .isEqualTo(
            new byte[] {
              0, 1, 't', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, -1, -1, -1, -1, 0, 0, 0, 1, 1, 9, -1,
              -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0
            });
    byte[] headers =
        write(
            RawMessageSerializer.INSTANCE,
            MINIMAL.with(HeaderList.of(List.of("auth"), List.of(new byte[] {8, 9}))));
    assertThat(Arrays.copyOfRange(headers, 39, headers.length))
        .isEqualTo(new byte[] {0, 0, 0, 1, 0, 4, 'a', 'u', 't', 'h', 0, 0, 0, 2, 8, 9});
    assertThat(RawMessageSerializer.VERSION).isEqualTo(1);
    assertThat(RawMessageSerializer.INSTANCE.snapshotConfiguration())
        .isInstanceOf(RawMessageSerializer.Snapshot.class);
  }
}
