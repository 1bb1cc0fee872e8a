package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;

/** One connection to a broker of MQTT 5, over which messages are published with QoS 1. */
final class MqttLoad implements AutoCloseable {
  /** Messages that the broker may not have acknowledged yet. */
  private static final int WINDOW = 200;

  private static final int CONNACK = 0x20;
  private static final int PUBACK = 0x40;
  private static final int PUBLISH_QOS_1 = 0x32;
  private static final int USER_PROPERTY = 0x26;
  private static final int CONTINUES = 0x80;
  private static final int FAILURE = 0x80;

  /** A clean session of MQTT 5 that ends with the connection; no keep-alive, no client id. */
  private static final byte[] CONNECT = {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 5, 2, 0, 0, 0, 0, 0};

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;
  private final Semaphore window = new Semaphore(WINDOW);
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  MqttLoad(String host, int port) throws IOException {
    socket = new Socket(host, port);
    socket.setTcpNoDelay(true);
    out = new BufferedOutputStream(socket.getOutputStream(), 64 * 1024);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 64 * 1024));
    out.write(CONNECT);
    out.flush();
    if (in.readUnsignedByte() != CONNACK) {
      throw new IOException("the broker does not speak MQTT");
    }
    byte[] answer = new byte[length()];
    in.readFully(answer);
    if (answer[1] != 0) {
      throw new IOException("the broker refuses the connection: reason " + (answer[1] & 0xff));
    }
    Thread reader = new Thread(this::read, "acknowledgements");
    reader.setDaemon(true);
    reader.start();
  }

  /** A message without its packet's number. */
  static final class Message {
    private final byte[] head;
    private final byte[] tail;

    private Message(byte[] head, byte[] tail) {
      this.head = head;
      this.tail = tail;
    }

    /** Encodes all but the number, which differs each time. */
    static Message of(String topic, Map<String, String> userProperties, byte[] payload) {
      try {
        ByteArrayOutputStream properties = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(properties);
        for (Map.Entry<String, String> property : userProperties.entrySet()) {
          data.writeByte(USER_PROPERTY);
          text(data, property.getKey());
          text(data, property.getValue());
        }
        ByteArrayOutputStream tail = new ByteArrayOutputStream();
        length(tail, properties.size());
        properties.writeTo(tail);
        tail.writeBytes(payload);
        ByteArrayOutputStream name = new ByteArrayOutputStream();
        text(new DataOutputStream(name), topic);
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(PUBLISH_QOS_1);
        length(head, name.size() + 2 + tail.size());
        name.writeTo(head);
        return new Message(head.toByteArray(), tail.toByteArray());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void text(DataOutputStream out, String text) throws IOException {
      byte[] bytes = text.getBytes(UTF_8);
      out.writeShort(bytes.length);
      out.write(bytes);
    }

    private static void length(OutputStream out, int length) throws IOException {
      int rest = length;
      while (rest >= CONTINUES) {
        out.write(rest % CONTINUES | CONTINUES);
        rest /= CONTINUES;
      }
      out.write(rest);
    }
  }

  /**
   * Publishes messages and waits for all acknowledgements.
   *
   * @param perSecond due in a second; 0: as fast as the broker acknowledges
   */
  void publish(LongFunction<Message> messages, long count, double perSecond)
      throws IOException, InterruptedException {
    double interval = perSecond == 0 ? 0 : 1e9 / perSecond;
    long start = System.nanoTime();
    for (long i = 0; i < count; i++) {
      long due = start + (long) (i * interval);
      while (perSecond != 0 && due > System.nanoTime()) {
        out.flush();
        LockSupport.parkNanos(due - System.nanoTime());
      }
      if (!window.tryAcquire()) {
        out.flush();
        window.acquire();
      }
      Message message = messages.apply(i);
      // At most WINDOW are open, so that a number is free again long before its next use.
      int number = (int) (i % 0xffff) + 1;
      out.write(message.head);
      out.write(number >> 8);
      out.write(number);
      out.write(message.tail);
    }
    out.flush();
    window.acquire(WINDOW);
    window.release(WINDOW);
  }

  private void read() {
    try {
      while (true) {
        int type = in.readUnsignedByte();
        byte[] packet = new byte[length()];
        in.readFully(packet);
        if (type == PUBACK) {
          boolean isRefused = packet.length > 2 && (packet[2] & 0xff) >= FAILURE;
          (isRefused ? refused : acknowledged).incrementAndGet();
          window.release();
        }
      }
    } catch (IOException e) {
      // Closed. A broker that went away leaves the publisher waiting, whose caller has a limit.
    }
  }

  private int length() throws IOException {
    int length = 0;
    for (int shift = 0; ; shift += 7) {
      int next = in.readUnsignedByte();
      length |= (next & 0x7f) << shift;
      if (next < CONTINUES) {
        return length;
      }
    }
  }

  /** Messages that the broker has acknowledged. */
  long acknowledged() {
    return acknowledged.get();
  }

  /** Messages that the broker has acknowledged with a failure. */
  long refused() {
    return refused.get();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
