package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MqttLoadTest {
  private static final byte[] ACCEPTED = {0x20, 3, 0, 0, 0};
  private static final byte[] REFUSED = {0x20, 3, 0, (byte) 0x87, 0};

  private final List<byte[]> packets = Collections.synchronizedList(new ArrayList<>());
  private ServerSocket broker;
  private byte[] connack = ACCEPTED;
  private int reason = 0;

  @BeforeEach
  void start() throws IOException {
    broker = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "broker");
    thread.setDaemon(true);
    thread.start();
  }

  @AfterEach
  void stop() throws IOException {
    broker.close();
  }

  /** Acknowledges each message. */
  private void serve() {
    try (Socket socket = broker.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      readPacket(in);
      out.write(connack);
      while (true) {
        byte[] packet = readPacket(in);
        packets.add(packet);
        int topic = ((packet[0] & 0xff) << 8) + (packet[1] & 0xff);
        out.write(new byte[] {0x40, 3, packet[2 + topic], packet[3 + topic], (byte) reason});
      }
    } catch (IOException e) {
      // The client has closed the connection.
    }
  }

  private static byte[] readPacket(DataInputStream in) throws IOException {
    in.readUnsignedByte();
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.readUnsignedByte();
      length |= (next & 0x7f) << shift;
      if (next < 0x80) {
        break;
      }
    }
    byte[] packet = new byte[length];
    in.readFully(packet);
    return packet;
  }

  @Test
  void aMessageHasTopicPropertiesAndPayload() throws Exception {
    MqttLoad.Message message = MqttLoad.Message.of("a/b", Map.of("k", "v"), "body".getBytes(UTF_8));

    try (MqttLoad load = connect()) {
      load.publish(number -> message, 1, 0);
    }

    assertThat(packets)
        .singleElement()
        .isEqualTo(
            new byte[] {
              0, 3, 'a', '/', 'b', 0, 1, 7, 0x26, 0, 1, 'k', 0, 1, 'v', 'b', 'o', 'd', 'y'
            });
  }

  @Test
  void publishingEndsOnceAllMessagesAreAcknowledged() throws Exception {
    // More bytes than one of a length, and more messages than may be open.
    MqttLoad.Message message = MqttLoad.Message.of("a", Map.of(), new byte[500]);

    try (MqttLoad load = connect()) {
      load.publish(number -> message, 1_000, 0);

      assertThat(load.acknowledged()).isEqualTo(1_000);
      assertThat(load.refused()).isZero();
    }
    assertThat(packets).hasSize(1_000);
  }

  @Test
  void aFailureInAnAcknowledgementIsCounted() throws Exception {
    reason = 0x97;

    try (MqttLoad load = connect()) {
      load.publish(number -> MqttLoad.Message.of("a", Map.of(), new byte[1]), 3, 0);

      assertThat(load.refused()).isEqualTo(3);
      assertThat(load.acknowledged()).isZero();
    }
  }

  @Test
  void aBrokerThatRefusesTheConnectionIsNamedAsTheCause() {
    connack = REFUSED;

    assertThatThrownBy(this::connect)
        .isInstanceOf(IOException.class)
        .hasMessage("the broker refuses the connection: reason 135");
  }

  private MqttLoad connect() throws IOException {
    return new MqttLoad(broker.getInetAddress().getHostAddress(), broker.getLocalPort());
  }
}
