package io.lastfix.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Hands out loopback ports, none of them twice. A port is free when it is handed out; another
 * program may still take it before the server does, and then that server's start fails. Not safe
 * for use by several threads.
 */
public final class Ports {
  /** Asks for any free port. */
  public static final int ANY = 0;

  /** What every server of the stack listens on. */
  static final String LOOPBACK = "127.0.0.1";

  // Below those that Linux gives to outgoing connections: while a server is down, to be restarted
  // where it was, its clients try to connect again, and one of these attempts would otherwise get
  // that very port for its own end now and then.
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_767;

  private final Set<Integer> taken = new HashSet<>();

  /**
   * The preferred port where it is free, else any free one.
   *
   * @param preferred 1 to 65535, or {@link #ANY}
   */
  public int choose(int preferred) {
    if (preferred != ANY && !taken.contains(preferred) && isFree(preferred)) {
      taken.add(preferred);
      return preferred;
    }
    int count = HIGHEST - LOWEST + 1;
    int first = ThreadLocalRandom.current().nextInt(count);
    int port =
        IntStream.range(0, count)
            .map(i -> LOWEST + (first + i) % count)
            .filter(candidate -> !taken.contains(candidate) && isFree(candidate))
            .findFirst()
            .orElseThrow(() -> new StackException("no free port on " + LOOPBACK));
    taken.add(port);
    return port;
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Connections of a server just stopped linger; they don't hinder a new one.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
