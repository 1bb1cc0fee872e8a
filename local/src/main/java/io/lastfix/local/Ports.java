package io.lastfix.local;

import io.lastfix.cluster.StackException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Assigns loopback ports, none of them twice, also not by two processes at one time: a port's UDP
 * twin is bound as long as this object is reachable, even while the server is down for a restart. A
 * port is free when it is assigned. If another program takes it before the server does, that
 * server's start fails. Not thread-safe.
 */
public final class Ports {
  /** Requests any free port. */
  public static final int ANY = 0;

  /** The address on which every server of the stack listens. */
  static final String LOOPBACK = "127.0.0.1";

  // Below the range that Linux assigns to outgoing connections. While a server is down for a
  // restart, its clients try to reconnect, and such an attempt could otherwise get the server's
  // port as its own.
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_767;

  private final Set<Integer> taken = new HashSet<>();

  /** Closed with this process, or once this object is garbage. */
  private final List<DatagramSocket> twins = new ArrayList<>();

  private final Supplier<Set<Integer>> others;
  private boolean knowsOthers;

  /** Ports of no stack, such as a test's own. */
  public Ports() {
    this(Set::of);
  }

  /**
   * Ports of a stack.
   *
   * @param others ports that are not free, even if no process listens there now; supplied at the
   *     first choice
   */
  Ports(Supplier<Set<Integer>> others) {
    this.others = others;
  }

  /**
   * The preferred port if it is free, else any free port.
   *
   * @param preferred 1 to 65535, or {@link #ANY}
   */
  public int choose(int preferred) {
    if (!knowsOthers) {
      taken.addAll(others.get());
      knowsOthers = true;
    }
    if (preferred != ANY && take(preferred)) {
      return preferred;
    }
    int count = HIGHEST - LOWEST + 1;
    int first = ThreadLocalRandom.current().nextInt(count);
    return IntStream.range(0, count)
        .map(i -> LOWEST + (first + i) % count)
        .filter(this::take)
        .findFirst()
        .orElseThrow(() -> new StackException("no free port on " + LOOPBACK));
  }

  private boolean take(int port) {
    return !taken.contains(port) && isFree(port) && bindTwin(port) && taken.add(port);
  }

  private boolean bindTwin(int port) {
    try {
      twins.add(new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  /**
   * Returns the own port if no process listens there, else any free port. The own port is not
   * compared with those of other stacks, which leave it out.
   */
  int chooseOwn(int port) {
    if (isFree(port) && taken.add(port)) {
      // An earlier object of this process may have it yet.
      var unused = bindTwin(port);
      return port;
    }
    return choose(ANY);
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // Lingering connections of a stopped server do not prevent a new one.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
