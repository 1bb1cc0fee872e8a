package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/**
 * As much of an MQTT 5 broker as a test needs to see each packet on the wire: it grants what the
 * test says, publishes what the test wants, and keeps what is acknowledged.
 */
final class FakeBroker implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Packet ids from here on are those of probes, which tests do not count. */
  private static final int PROBES = 0xf000;

  private static final int CONNECT = 1;
  private static final int PUBLISH = 3;
  private static final int PUBACK = 4;
  private static final int SUBSCRIBE = 8;
  private static final int UNSUBSCRIBE = 10;
  private static final int PING = 12;
  private static final int DISCONNECT = 14;

  private final ServerSocket server;
  private final List<Connection> connections = new CopyOnWriteArrayList<>();
  private volatile int connectAnswer;
  private volatile boolean answersConnect = true;
  private volatile byte[] connectProperties = {};
  private volatile int subscribeAnswer = 1;
  private volatile int publishAnswer;
  private volatile boolean answersPublish = true;
  private volatile Function<String, String> probeTopic = topic -> topic;
  private volatile OnConnect onConnect = connection -> {};

  /** What a broker sends before it answers anything else. */
  interface OnConnect {
    void connected(Connection connection) throws IOException;
  }

  FakeBroker() throws IOException {
    this(0);
  }

  FakeBroker(int port) throws IOException {
    server = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  /** Answers a connection with that reason code and properties. */
  FakeBroker answeringConnect(int code, int... properties) {
    connectAnswer = code;
    connectProperties = bytes(properties);
    return this;
  }

  /** Answers no further attempt to connect. */
  FakeBroker answeringNoConnect() {
    answersConnect = false;
    return this;
  }

  FakeBroker answeringSubscribe(int code) {
    subscribeAnswer = code;
    return this;
  }

  /** Answers what the client publishes with that reason code. */
  FakeBroker answeringPublish(int code) {
    publishAnswer = code;
    return this;
  }

  /** Answers nothing further that the client publishes. */
  FakeBroker answeringNoPublish() {
    answersPublish = false;
    return this;
  }

  /**
   * Delivers what the client publishes to a subscription on another topic, such as a gateway's
   * answer to a probe; on an empty one not at all.
   */
  FakeBroker deliveringProbes(Function<String, String> topic) {
    probeTopic = topic;
    return this;
  }

  /** Does that on each connection, right after its CONNACK. */
  FakeBroker onConnect(OnConnect action) {
    onConnect = action;
    return this;
  }

  String address() {
    return "mqtt://127.0.0.1:" + server.getLocalPort();
  }

  /** All connections since the start, ended ones too. */
  List<Connection> connections() {
    return connections;
  }

  /** With a limit for a busy machine. */
  static ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT);
  }

  /** The newest connection, once it has subscribed. */
  Connection subscribed() {
    await()
        .until(
            () ->
                !connections.isEmpty()
                    && !connections.get(connections.size() - 1).filters.isEmpty());
    return connections.get(connections.size() - 1);
  }

  private void accept() {
    try {
      while (true) {
        Connection connection = new Connection(server.accept());
        connections.add(connection);
        start(connection::read);
      }
    } catch (IOException e) {
      // The test has closed the broker.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "fake-broker");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Connection connection : connections) {
      connection.cut();
    }
  }

  /** A client's connection. */
  final class Connection {
    private final Socket socket;
    private final OutputStream out;
    private final List<Integer> acknowledged = new CopyOnWriteArrayList<>();
    private final List<String> filters = new CopyOnWriteArrayList<>();
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> published = new CopyOnWriteArrayList<>();

    private Connection(Socket socket) throws IOException {
      this.socket = socket;
      out = socket.getOutputStream();
    }

    /** The packet ids of all PUBACKs, in their order. */
    List<Integer> acknowledged() {
      return acknowledged;
    }

    List<String> filters() {
      return filters;
    }

    /** PUBACKs and what the client did at the end, in their order. */
    List<String> events() {
      return events;
    }

    /** The topics of what the client has published. */
    List<String> published() {
      return published;
    }

    boolean isEnded() {
      return events.contains("end");
    }

    /** Ends it without a word. */
    void cut() throws IOException {
      socket.close();
    }

    /** Tells the client that it is disconnected, and why. */
    void disconnect(int reason) throws IOException {
      send(DISCONNECT << 4, bytes(reason, 0));
      socket.close();
    }

    /** Publishes with QoS 1. */
    void publish(int id, String topic, byte[] payload, Map<String, String> properties)
        throws IOException {
      publish(id, topic, null, payload, properties);
    }

    void publish(
        int id,
        String topic,
        @Nullable String contentType,
        byte[] payload,
        Map<String, String> properties)
        throws IOException {
      ByteArrayOutputStream more = new ByteArrayOutputStream();
      if (contentType != null) {
        more.write(0x03);
        text(more, contentType);
      }
      properties.forEach(
          (name, value) -> {
            more.write(0x26);
            text(more, name);
            text(more, value);
          });
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      text(body, topic);
      body.write(id >> 8);
      body.write(id);
      length(body, more.size());
      body.writeBytes(more.toByteArray());
      body.writeBytes(payload);
      send(0x32, body.toByteArray());
    }

    void publish(int id, String topic, String payload) throws IOException {
      publish(id, topic, payload.getBytes(UTF_8), Map.of());
    }

    private synchronized void send(int head, byte[] body) throws IOException {
      ByteArrayOutputStream packet = new ByteArrayOutputStream();
      packet.write(head);
      length(packet, body.length);
      packet.writeBytes(body);
      out.write(packet.toByteArray());
      out.flush();
    }

    private void read() {
      try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
        while (true) {
          int head = in.readUnsignedByte();
          answer(head >> 4, in.readNBytes(length(in)));
        }
      } catch (IOException e) {
        events.add("end");
      }
    }

    private void answer(int type, byte[] body) throws IOException {
      switch (type) {
        case CONNECT -> {
          if (!answersConnect) {
            return;
          }
          ByteArrayOutputStream answer = new ByteArrayOutputStream();
          answer.write(0);
          answer.write(connectAnswer);
          length(answer, connectProperties.length);
          answer.writeBytes(connectProperties);
          send(0x20, answer.toByteArray());
          onConnect.connected(this);
        }
        case SUBSCRIBE -> {
          send(0x90, bytes(body[0], body[1], 0, subscribeAnswer));
          int properties = 1 + body[2];
          int size = number(body, 2 + properties);
          filters.add(new String(body, 4 + properties, size, UTF_8));
        }
        case PUBLISH -> {
          int size = number(body, 0);
          String topic = new String(body, 2, size, UTF_8);
          published.add(topic);
          if (!answersPublish) {
            return;
          }
          send(PUBACK << 4, bytes(body[2 + size], body[3 + size], publishAnswer, 0));
          String delivered = topic.startsWith("lastfix/probe/") ? "" : probeTopic.apply(topic);
          if (!delivered.isEmpty()) {
            publish(PROBES + published.size(), delivered, "");
          }
        }
        case UNSUBSCRIBE -> send(0xb0, bytes(body[0], body[1], 0, 0));
        case PUBACK -> {
          int id = number(body, 0);
          if (id < PROBES) {
            acknowledged.add(id);
            events.add("acknowledged " + id);
          }
        }
        case PING -> send(0xd0, new byte[0]);
        case DISCONNECT -> events.add("disconnect");
        default -> throw new IOException("unexpected packet " + type);
      }
    }
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static int number(byte[] body, int index) {
    return (body[index] & 0xff) << 8 | (body[index + 1] & 0xff);
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    out.write(bytes.length >> 8);
    out.write(bytes.length);
    out.writeBytes(bytes);
  }

  private static void length(ByteArrayOutputStream out, int length) {
    int rest = length;
    do {
      int low = rest & 0x7f;
      rest >>= 7;
      out.write(rest > 0 ? low | 0x80 : low);
    } while (rest > 0);
  }

  private static int length(DataInputStream in) throws IOException {
    int length = 0;
    int shift = 0;
    int next;
    do {
      next = in.readUnsignedByte();
      length |= (next & 0x7f) << shift;
      shift += 7;
    } while ((next & 0x80) != 0);
    return length;
  }
}
