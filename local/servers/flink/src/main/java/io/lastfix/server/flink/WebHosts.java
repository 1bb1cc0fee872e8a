package io.lastfix.server.flink;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.shaded.netty4.io.netty.util.NetUtil;

/**
 * The names by which clients may address a REST server. A page of any site can let its own name
 * stand for the server's address, and then read and send what it likes (DNS rebinding); the field
 * {@code Host} still has the page's name. An IP address is no such name.
 */
record WebHosts(Set<String> names) {
  private static final String CLUSTER_ID = "kubernetes.cluster-id";
  private static final String NAMESPACE = "kubernetes.namespace";

  /** The names of the server with that configuration. */
  static WebHosts of(Configuration configuration) {
    Set<String> names = new HashSet<>(Set.of("localhost"));
    for (String name : configuration.get(WebGuardFactory.HOSTS)) {
      names.add(canonical(name.trim()));
    }
    for (String address :
        List.of(
            configuration.getOptional(RestOptions.ADDRESS).orElse(""),
            configuration.getOptional(JobManagerOptions.ADDRESS).orElse(""))) {
      names.add(canonical(address));
    }
    // With high availability, Flink replaces both addresses by the pod's. Flink names the service.
    String clusterId = configuration.getString(CLUSTER_ID, "");
    if (!clusterId.isEmpty()) {
      String service = canonical(clusterId + "-rest");
      String inNamespace = service + "." + configuration.getString(NAMESPACE, "default");
      names.addAll(
          List.of(service, inNamespace, inNamespace + ".svc", inNamespace + ".svc.cluster.local"));
    }
    names.remove("");
    return new WebHosts(Set.copyOf(names));
  }

  /**
   * Returns whether a field {@code Host} names this server.
   *
   * @param host with or without a port
   */
  boolean contains(String host) {
    return nameOf(host).filter(name -> isAddress(name) || names.contains(name)).isPresent();
  }

  private static Optional<String> nameOf(String host) {
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      return end < 0 ? Optional.empty() : Optional.of(host.substring(1, end));
    }
    int port = host.indexOf(':');
    return Optional.of(canonical(port < 0 ? host : host.substring(0, port)));
  }

  private static boolean isAddress(String name) {
    return NetUtil.isValidIpV4Address(name) || NetUtil.isValidIpV6Address(name);
  }

  private static String canonical(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }
}
