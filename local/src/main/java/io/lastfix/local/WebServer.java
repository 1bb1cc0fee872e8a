package io.lastfix.local;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A server of one process, which answers HTTP on a port of loopback. */
public abstract class WebServer extends StackService {
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
    super(site, name);
    this.label = label;
    this.probeLimit = probeLimit;
    this.probe = probe;
    port = takePort(name, name, usualPort);
  }

  /** Queries a server whether it is ready. */
  public interface Probe {
    /** Returns whether the server at that endpoint is ready. */
    boolean isReady(HttpClient client, String endpoint, Duration limit) throws Exception;
  }

  /** Queries a server for a page, which has status 200 if it is ready. */
  public static Probe page(String path) {
    return (client, endpoint, limit) -> {
      URI page = URI.create(endpoint + path);
      HttpRequest request = HttpRequest.newBuilder(page).timeout(limit).build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    };
  }

  final int port() {
    return port;
  }

  @Override
  public String endpoint() {
    return "http://" + Ports.LOOPBACK + ":" + port;
  }

  @Override
  public final void awaitReady(Duration limit) {
    HttpClient client = HttpClient.newBuilder().connectTimeout(probeLimit).build();
    Readiness.await(label, processes(), limit, () -> probe.isReady(client, endpoint(), probeLimit));
  }
}
