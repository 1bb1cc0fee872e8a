package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

/**
 * A device that publishes over MQTT 5. HiveMQ's client needs a Netty, of which these tests' class
 * path has none.
 */
final class MqttPublisher {
  private static final int CONNECT = 0x10;
  private static final int CONNACK = 0x20;
  private static final int PUBLISH_AT_LEAST_ONCE = 0x32;
  private static final int PUBACK = 0x40;
  private static final int FIRST_ERROR = 0x80;
  private static final int LIMIT_MILLIS = 30_000;

  /** MQTT 5, a new session that ends with the connection, no keep-alive; a client id follows. */
  private static final byte[] NEW_SESSION = {0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 0, 0};

  private MqttPublisher() {}

  /** Publishes each payload with QoS 1, and waits for the broker's acknowledgements. */
  static void publish(String broker, String topic, List<String> payloads) throws IOException {
    publish(broker, topic, payloads, acknowledged -> {});
  }

  /** Publishes likewise; the last argument gets each payload once it is acknowledged. */
  static void publish(
      String broker, String topic, List<String> payloads, Consumer<String> acknowledged)
      throws IOException {
    URI address = URI.create(broker);
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(LIMIT_MILLIS);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      connect(socket, "");
      int id = 0;
      for (String payload : payloads) {
        write(out, PUBLISH_AT_LEAST_ONCE, message(topic, ++id, payload));
        // After the id; absent if there is nothing to say.
        requireTaken(read(in, PUBACK));
        acknowledged.accept(payload);
      }
    }
  }

  /** Connects with a client id, and so ends the session that the broker keeps under it. */
  static void takeOver(String broker, String clientId) throws IOException {
    URI address = URI.create(broker);
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(LIMIT_MILLIS);
      connect(socket, clientId);
    }
  }

  private static void connect(Socket socket, String clientId) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(NEW_SESSION);
    new DataOutputStream(bytes).writeUTF(clientId);
    write(new DataOutputStream(socket.getOutputStream()), CONNECT, bytes.toByteArray());
    // After the flag that says whether a session was there.
    requireSuccess(read(new DataInputStream(socket.getInputStream()), CONNACK), 1);
  }

  private static byte[] message(String topic, int id, String payload) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(topic);
    out.writeShort(id);
    // No properties.
    out.writeByte(0);
    out.write(payload.getBytes(UTF_8));
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, int type, byte[] content) throws IOException {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(type);
    int length = content.length;
    for (; length > 0x7f; length >>>= 7) {
      packet.write((length & 0x7f) | 0x80);
    }
    packet.write(length);
    packet.writeBytes(content);
    out.write(packet.toByteArray());
  }

  private static byte[] read(DataInputStream in, int type) throws IOException {
    int found = in.readUnsignedByte();
    int length = in.readUnsignedByte();
    // Answers are short.
    if (found != type || length > 0x7f) {
      throw new IOException("expected a packet %#x, found %#x".formatted(type, found));
    }
    byte[] content = new byte[length];
    in.readFully(content);
    return content;
  }

  /** A broker without a subscriber for it acknowledges a message, says so, and drops it. */
  private static void requireTaken(byte[] answer) throws IOException {
    requireSuccess(answer, 2);
    if (answer.length > 2 && answer[2] != 0) {
      throw new IOException(
          "the broker took the message, with the reason %#x".formatted(answer[2]));
    }
  }

  private static void requireSuccess(byte[] answer, int at) throws IOException {
    int reason = answer.length > at ? answer[at] & 0xff : 0;
    if (reason >= FIRST_ERROR) {
      throw new IOException("the broker refuses with the reason %#x".formatted(reason));
    }
  }
}
