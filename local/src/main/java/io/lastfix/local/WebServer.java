package io.lastfix.local;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server of one process, which answers HTTP on a port of loopback. */
abstract class WebServer extends StackService {
  private final String name;
  private final String label;
  private final Duration probeLimit;
  private final Probe probe;
  private final int port;

  /**
   * @param name in the state file
   * @param label in messages
   * @param usualPort is used if it is free
   * @param probeLimit the time limit of one query whether it is ready
   * @param probe queries that
   */
  WebServer(
      ServerSite site, String name, String label, int usualPort, Duration probeLimit, Probe probe) {
    this.name = name;
    this.label = label;
    this.probeLimit = probeLimit;
    this.probe = probe;
    port = site.port(name, name, usualPort);
  }

  abstract ServerProcess process();

  /** Queries a server whether it is ready. */
  interface Probe {
    /** Returns whether the server at that endpoint is ready. */
    boolean isReady(HttpClient client, String endpoint, Duration limit) throws Exception;
  }

  /** Returns whether a page answers with status 200. */
  static boolean isOk(HttpClient client, String page, Duration limit)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(page)).timeout(limit).build();
    return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
  }

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
  public String endpoint() {
    return "http://" + Ports.LOOPBACK + ":" + port;
  }

  @Override
  final Map<String, Integer> ports() {
    return Map.of(name, port);
  }

  @Override
  public final void awaitReady(Duration limit) {
    HttpClient client = HttpClient.newBuilder().connectTimeout(probeLimit).build();
    Readiness.await(label, processes(), limit, () -> probe.isReady(client, endpoint(), probeLimit));
  }
}
