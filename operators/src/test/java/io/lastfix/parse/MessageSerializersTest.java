package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class MessageSerializersTest {
  private static final RawMessage FULL =
      new RawMessage("lastfix.location.json", 3, Long.MAX_VALUE, new byte[] {1}, new byte[] {2, 3});
  private static final RawMessage MINIMAL = new RawMessage("t", 0, 0, null, null);
  private static final RawMessage EMPTY = new RawMessage("t", 0, 0, new byte[0], new byte[0]);

  private static <T> byte[] write(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return out.getCopyOfBuffer();
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
    for (RawMessage message : new RawMessage[] {FULL, MINIMAL, EMPTY}) {
      assertThat(roundTrip(RawMessageSerializer.INSTANCE, message)).isEqualTo(message);
    }
  }

  @Test
  void rejectedMessagesComeBackAsTheyWere() throws IOException {
    for (RejectionReason reason : RejectionReason.values()) {
      RejectedMessage rejected =
          new RejectedMessage(FULL, new Rejection(reason, "détail 😀", 7), "parse");
      assertThat(roundTrip(RejectedMessageSerializer.INSTANCE, rejected)).isEqualTo(rejected);
    }
    RejectedMessage omitted =
        new RejectedMessage(
            MINIMAL, new Rejection(RejectionReason.MESSAGE_TOO_LARGE, "d"), "s", 1L << 40);
    assertThat(roundTrip(RejectedMessageSerializer.INSTANCE, omitted)).isEqualTo(omitted);
  }

  @Test
  void aRejectedMessageOfVersion1IsReadAsOneThatOmitsNothing() throws IOException {
    RejectedMessage rejected =
        new RejectedMessage(FULL, new Rejection(RejectionReason.BAD_VALUE, "d"), "s");
    byte[] now = write(RejectedMessageSerializer.INSTANCE, rejected);
    byte[] version1 = Arrays.copyOf(now, now.length - Long.BYTES);
    assertThat(RejectedMessageSerializer.INSTANCE.read(new DataInputDeserializer(version1), 1))
        .isEqualTo(rejected);
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
        .isEqualTo(
            new RejectedMessage(
                new RawMessage("t", 1, 2, null, null),
                rejection,
                "s",
                RejectedMessage.MAX_BYTES + 1L));
  }

  /** Another layout needs another version: old savepoints hold these bytes. */
  @Test
  void theLayoutsStayAsTheyAre() throws IOException {
    assertThat(
            write(RawMessageSerializer.INSTANCE, new RawMessage("t", 1, 2, null, new byte[] {9})))
        .isEqualTo(
            new byte[] {
              0, 1, 't', 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, -1, -1, -1, -1, 0, 0, 0, 1, 9
            });
    byte[] rejected =
        write(
            RejectedMessageSerializer.INSTANCE,
            new RejectedMessage(MINIMAL, new Rejection(RejectionReason.BAD_VALUE, "d", 2), "s"));
    byte[] behindTheMessage = Arrays.copyOfRange(rejected, 23, rejected.length);
    assertThat(behindTheMessage)
        .isEqualTo(
            new byte[] {
              0, 9, 'b', 'a', 'd', '-', 'v', 'a', 'l', 'u', 'e', 0, 1, 'd', 0, 0, 0, 2, 0, 1, 's',
              0, 0, 0, 0, 0, 0, 0, 0
            });
    assertThat(RawMessageSerializer.VERSION).isOne();
    assertThat(RejectedMessageSerializer.VERSION).isEqualTo(2);
    assertThat(RawMessageSerializer.INSTANCE.snapshotConfiguration())
        .isInstanceOf(RawMessageSerializer.Snapshot.class);
    assertThat(RejectedMessageSerializer.INSTANCE.snapshotConfiguration())
        .isInstanceOf(RejectedMessageSerializer.Snapshot.class);
  }
}
