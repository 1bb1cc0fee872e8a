package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 over N connections, on one thread that does nothing but copy bytes. Each connection has
 * one request open.
 */
final class HttpLoad implements AutoCloseable {
  /** Longer than the gateway waits for Kafka. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int ANSWER_BYTES = 16 * 1024;
  private static final byte[] LENGTH = "\r\ncontent-length:".getBytes(US_ASCII);
  private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(US_ASCII);
  private static final int CONNECTION_ENDED = 0;

  /** The requests, as bytes on the wire. */
  interface Requests {
    /** The request with that number, from 0 on; null if it is left out. */
    byte @Nullable [] of(long number);
  }

  /** Receives each answer; the body is valid during the call only. */
  interface Answers {
    Answers IGNORED = (number, status, body) -> {};

    void answered(long number, int status, ByteBuffer body);
  }

  /** Told when the measured time begins and ends. */
  interface Window {
    void begins();

    void ends();
  }

  private static final class Connection {
    private final ByteBuffer in = ByteBuffer.allocate(ANSWER_BYTES);
    private SocketChannel channel;
    private ByteBuffer out = ByteBuffer.allocate(0);
    private long number;
    private long due;

    Connection(SocketChannel channel) {
      this.channel = channel;
    }
  }

  private final InetSocketAddress address;
  private final boolean isFresh;
  private final Selector selector = Selector.open();
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final Latencies latencies = new Latencies();
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private int busy;
  private long successesInWindow;
  private boolean isInWindow;
  private long windowBegan;
  private Answers answers = Answers.IGNORED;

  /**
   * Opens the connections.
   *
   * @param isFresh whether each request has a connection of its own
   */
  HttpLoad(String host, int port, int connections, boolean isFresh) throws IOException {
    address = new InetSocketAddress(host, port);
    this.isFresh = isFresh;
    for (int i = 0; i < connections; i++) {
      Connection connection = new Connection(open());
      register(connection);
      idle.add(connection);
    }
  }

  private SocketChannel open() throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    return channel;
  }

  private void register(Connection connection) throws IOException {
    connection.channel.register(selector, SelectionKey.OP_READ, connection);
  }

  /**
   * Sends requests until the measured time is over or there are no more, and waits for the answers.
   *
   * @param count the number of requests at most
   * @param perSecond requests due in a second; 0: as fast as the answers come
   * @param warmUpNanos before the measured time
   * @param nanos the measured time, at most
   */
  LoadResult run(
      Requests requests,
      Answers answers,
      long count,
      double perSecond,
      long warmUpNanos,
      long nanos,
      Window window)
      throws IOException {
    this.answers = answers;
    double interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
    long start = System.nanoTime();
    windowBegan = start + warmUpNanos;
    long windowEnds = windowBegan + nanos;
    long next = 0;
    boolean hasBegun = false;
    boolean hasEnded = false;
    long cpuBegan = 0;
    double seconds = 0;
    double cpuSeconds = 0;
    while (true) {
      long now = System.nanoTime();
      if (!hasBegun && now >= windowBegan) {
        hasBegun = true;
        isInWindow = true;
        windowBegan = now;
        cpuBegan = cpuNanos();
        window.begins();
      }
      boolean isSent = next >= count;
      while (!isSent && !idle.isEmpty()) {
        long due = perSecond == 0 ? System.nanoTime() : start + (long) (next * interval);
        isSent = due >= windowEnds;
        if (isSent || due > System.nanoTime()) {
          break;
        }
        send(requests, next, due);
        next++;
        isSent = next >= count;
      }
      boolean isOver = now >= windowEnds || (isSent && busy == 0);
      if (isOver && hasBegun && !hasEnded) {
        hasEnded = true;
        isInWindow = false;
        seconds = (now - windowBegan) / 1e9;
        cpuSeconds = (cpuNanos() - cpuBegan) / 1e9;
        window.ends();
      }
      if ((isSent && busy == 0) || now > windowEnds + PATIENCE_NANOS) {
        break;
      }
      receive();
    }
    return new LoadResult(
        successesInWindow,
        seconds,
        Map.copyOf(statuses),
        busy,
        latencies.percentile(50),
        latencies.percentile(99),
        latencies.percentile(100),
        cpuSeconds);
  }

  private static long cpuNanos() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .orElseThrow(() -> new IllegalStateException("this system does not tell CPU times"))
        .toNanos();
  }

  private void send(Requests requests, long number, long due) throws IOException {
    byte[] request = requests.of(number);
    if (request == null) {
      return;
    }
    Connection connection = idle.remove();
    if (!connection.channel.isOpen()) {
      connection.channel = open();
      register(connection);
    }
    connection.number = number;
    connection.due = due;
    connection.out = ByteBuffer.wrap(request);
    connection.in.clear();
    busy++;
    try {
      write(connection);
    } catch (IOException e) {
      ended(connection);
    }
  }

  private void write(Connection connection) throws IOException {
    connection.channel.write(connection.out);
    connection
        .channel
        .keyFor(selector)
        .interestOps(
            connection.out.hasRemaining()
                ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                : SelectionKey.OP_READ);
  }

  private void receive() throws IOException {
    selector.select(1);
    Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
    while (ready.hasNext()) {
      SelectionKey key = ready.next();
      ready.remove();
      Connection connection = (Connection) key.attachment();
      try {
        if (key.isValid() && key.isWritable()) {
          write(connection);
        }
        if (key.isValid() && key.isReadable()) {
          read(connection);
        }
      } catch (IOException e) {
        ended(connection);
      }
    }
  }

  private void read(Connection connection) throws IOException {
    if (connection.channel.read(connection.in) < 0) {
      ended(connection);
      return;
    }
    byte[] bytes = connection.in.array();
    int length = connection.in.position();
    int head = indexOf(bytes, length, END_OF_HEAD);
    if (head < 0) {
      requireRoom(connection);
      return;
    }
    int body = head + END_OF_HEAD.length;
    int end = body + contentLength(bytes, head);
    if (length < end) {
      requireRoom(connection);
      return;
    }
    // "HTTP/1.1 202 Accepted"
    int status = (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + bytes[11] - '0';
    answered(connection, status);
    answers.answered(connection.number, status, ByteBuffer.wrap(bytes, body, end - body));
    // The gateway closes the connection after a refusal.
    if (isFresh || status / 100 != 2) {
      connection.channel.close();
    }
    idle.add(connection);
  }

  private static void requireRoom(Connection connection) {
    if (!connection.in.hasRemaining()) {
      throw new IllegalStateException("an answer has more than " + ANSWER_BYTES + " bytes");
    }
  }

  private void answered(Connection connection, int status) {
    busy--;
    statuses.merge(status, 1L, Long::sum);
    if (isInWindow && status / 100 == 2) {
      successesInWindow++;
    }
    if (connection.due >= windowBegan && status != CONNECTION_ENDED) {
      latencies.add(System.nanoTime() - connection.due);
    }
  }

  /** The gateway has closed the connection; that is a failure only during a request. */
  private void ended(Connection connection) throws IOException {
    connection.channel.close();
    if (!idle.contains(connection)) {
      answered(connection, CONNECTION_ENDED);
      idle.add(connection);
    }
  }

  private static int indexOf(byte[] bytes, int length, byte[] wanted) {
    for (int i = 0; i + wanted.length <= length; i++) {
      if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    return -1;
  }

  private static int contentLength(byte[] bytes, int head) {
    for (int i = 0; i + LENGTH.length <= head; i++) {
      int matched = 0;
      while (matched < LENGTH.length
          && Character.toLowerCase((char) bytes[i + matched]) == LENGTH[matched]) {
        matched++;
      }
      if (matched == LENGTH.length) {
        int from = i + LENGTH.length;
        int to = from;
        while (bytes[to] != '\r') {
          to++;
        }
        return Integer.parseInt(new String(bytes, from, to - from, US_ASCII).trim());
      }
    }
    throw new IllegalStateException("an answer has no content-length");
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
