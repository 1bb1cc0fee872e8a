package io.lastfix.stack;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server of one process, which answers HTTP on a port of loopback. */
abstract class WebServer extends StackService {
  private final String name;
  private final String label;
  private final Duration probe;
  private final int port;

  /**
   * @param name in the state file
   * @param label in messages
   * @param usualPort is used if it is free
   * @param probe the time limit of one query whether it is ready
   */
  WebServer(ServerSite site, String name, String label, int usualPort, Duration probe) {
    this.name = name;
    this.label = label;
    this.probe = probe;
    port = site.port(name, name, usualPort);
  }

  abstract ServerProcess process();

  /** Queries whether it is ready. */
  abstract boolean isReady(HttpClient client, Duration limit) throws Exception;

  final int port() {
    return port;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final List<ServerProcess> processes() {
    return List.of(process());
  }

  @Override
  public final String endpoint() {
    return "http://" + Ports.LOOPBACK + ":" + port;
  }

  @Override
  final Map<String, Integer> ports() {
    return Map.of(name, port);
  }

  @Override
  public final void awaitReady(Duration limit) {
    HttpClient client = HttpClient.newBuilder().connectTimeout(probe).build();
    Readiness.await(label, processes(), limit, () -> isReady(client, probe));
  }
}
