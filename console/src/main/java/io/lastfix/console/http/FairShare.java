package io.lastfix.console.http;

import com.linecorp.armeria.server.ProxiedAddresses;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Shares places among clients: one alone may have all of them, and gives one back for each client
 * that has fewer.
 */
public final class FairShare {
  /** One client has a network of 2^64 addresses of IPv6. */
  private static final int NETWORK_BYTES = 8;

  private FairShare() {}

  /** Returns the client that a request comes from: its address, or its network of IPv6. */
  public static String client(ServiceRequestContext context) {
    return client(context.clientAddress());
  }

  /** Returns the client that has an address. */
  static String client(InetAddress address) {
    return address instanceof Inet6Address
        ? HexFormat.of().formatHex(address.getAddress(), 0, NETWORK_BYTES)
        : address.getHostAddress();
  }

  /**
   * Returns the address that the nearest proxy saw. A client can write all those before it itself.
   */
  public static InetSocketAddress nearest(ProxiedAddresses addresses) {
    List<InetSocketAddress> further = addresses.destinationAddresses();
    return further.isEmpty() ? addresses.sourceAddress() : further.get(further.size() - 1);
  }

  /** Returns how many of the places a client has. */
  public static <T> int count(Collection<T> held, Function<T, String> clientOf, String client) {
    return (int) held.stream().filter(it -> clientOf.apply(it).equals(client)).count();
  }

  /**
   * Returns what has to leave for a newcomer if all places are taken: the newest of the client that
   * has the most.
   *
   * @param held what has a place, the oldest first
   * @return empty if no client would still have as many as the newcomer's then
   */
  public static <T> Optional<T> leaving(
      Collection<T> held, Function<T, String> clientOf, String newcomer) {
    Map<String, Integer> counts = new HashMap<>();
    held.forEach(it -> counts.merge(clientOf.apply(it), 1, Integer::sum));
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    if (most <= counts.getOrDefault(newcomer, 0) + 1) {
      return Optional.empty();
    }
    return held.stream()
        .filter(it -> counts.getOrDefault(clientOf.apply(it), 0) == most)
        .reduce((older, newer) -> newer);
  }
}
