package io.lastfix.console.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.console.http.FairShare;
import io.lastfix.console.http.Parameter;
import io.lastfix.console.http.Parameters;
import io.lastfix.console.http.Problem;
import io.lastfix.console.http.Route;
import io.lastfix.console.live.LiveHub;
import io.lastfix.console.live.Subscription;
import io.lastfix.console.live.Subscription.Delta;
import io.lastfix.console.query.Box;
import io.lastfix.store.query.SightingJson;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/live}: what is located in a box, as server-sent events.
 *
 * <p>An event {@code located} has an array of sightings, at most one for each device; such events
 * come at most four times a second. {@code reset} asks the browser to query the box again. {@code
 * state} says why nothing comes, or that it does. {@code refused} is the last one, and says why.
 *
 * @param hub null: there is no topic of located records
 * @param problem why nothing comes; empty if it does
 */
record LiveApi(@Nullable LiveHub hub, Supplier<Optional<String>> problem) {
  private static final long INTERVAL_MILLIS = 250;
  private static final int QUIET_INTERVALS = 60;

  private static final Parameter<@Nullable String> LAST_ID =
      Parameter.header(
          "Last-Event-ID", "The id of the last event: what came after it is sent first.");

  List<Route> routes() {
    return List.of(
        Route.get("/v1/live", "Located records of a box as they come, as server-sent events")
            .takes(LocationApi.BOX, LAST_ID)
            .answers(
                "Events: located (an array of sightings, one for each device, at most four times a"
                    + " second). reset (query the box again). state (why nothing comes). refused"
                    + " (the last one: another client needs the place).",
                MediaType.EVENT_STREAM,
                "{type: string}")
            .refuses(HttpStatus.NOT_FOUND, HttpStatus.SERVICE_UNAVAILABLE)
            .serve((context, request, queries) -> answer(context, request)));
  }

  private HttpResponse answer(ServiceRequestContext context, Parameters request) {
    Box box = LocationApi.BOX.of(request);
    if (hub == null) {
      return Problem.liveOff().toResponse();
    }
    String client = FairShare.client(context);
    Subscription subscription = hub.subscribe(client, box, LAST_ID.of(request));
    if (subscription == null) {
      return Problem.tooManyStreams(hub.subscriptions(), hub.subscriptionsOf(client)).toResponse();
    }
    context.clearRequestTimeout();
    HttpResponseWriter writer = HttpResponse.streaming();
    var unused =
        writer
            .whenComplete()
            .handle(
                (done, failure) -> {
                  hub.unsubscribe(subscription);
                  return null;
                });
    if (writer.tryWrite(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.EVENT_STREAM)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            // For a proxy that would collect events.
            .set("x-accel-buffering", "no")
            .build())) {
      new Stream(hub, subscription, writer, context.eventLoop()).run();
    }
    return writer;
  }

  /** One browser's. Runs in its event loop. */
  private final class Stream implements Runnable {
    private final LiveHub source;
    private final Subscription subscription;
    private final HttpResponseWriter writer;
    private final EventLoop loop;
    private String saidProblem = "";
    private boolean hasSaidAnything;
    private boolean isBusy;
    private int quiet;

    private Stream(
        LiveHub source, Subscription subscription, HttpResponseWriter writer, EventLoop loop) {
      this.source = source;
      this.subscription = subscription;
      this.writer = writer;
      this.loop = loop;
    }

    @Override
    public void run() {
      if (subscription.isEnded() && isBusy) {
        // It does not read, so it would keep its connection for ever.
        writer.abort();
      } else if (subscription.isEnded()) {
        StringBuilder last = new StringBuilder();
        String detail = Problem.streamGiven().detail();
        event(
            last,
            "refused",
            JsonNodeFactory.instance.objectNode().put("detail", detail).toString());
        var unused = writer.tryWrite(HttpData.ofUtf8(last.toString()));
      }
      if (source.isClosed() || subscription.isEnded()) {
        writer.close();
      }
      if (!writer.isOpen()) {
        return;
      }
      if (!isBusy) {
        String text = text();
        if (!text.isEmpty()) {
          write(text);
        }
      }
      var unused = loop.schedule(this, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** While a browser has not read this, nothing more is written, and newer replaces older. */
    private void write(String text) {
      if (writer.tryWrite(HttpData.ofUtf8(text))) {
        isBusy = true;
        var unused =
            writer
                .whenConsumed()
                .handleAsync(
                    (done, failure) -> {
                      isBusy = false;
                      return null;
                    },
                    loop);
      }
    }

    private String text() {
      StringBuilder text = new StringBuilder();
      // The page takes an empty text for "all is well".
      String now = problem.get().orElse("");
      // Before what waits is taken, so that it covers nothing that is not written.
      String newestId = subscription.newestId();
      boolean saysId = false;
      if (!hasSaidAnything || !now.equals(saidProblem)) {
        hasSaidAnything = true;
        saysId = true;
        saidProblem = now;
        event(text, "state", JsonNodeFactory.instance.objectNode().put("problem", now).toString());
      }
      Delta delta = subscription.take();
      if (delta != null) {
        text.append("id: ").append(delta.id()).append('\n');
        if (delta.isReset()) {
          event(text, "reset", "{}");
          text.append("id: ").append(delta.id()).append('\n');
        }
        ArrayNode sightings = JsonNodeFactory.instance.arrayNode();
        delta.sightings().forEach(it -> sightings.add(SightingJson.of(it, null)));
        event(text, "located", sightings.toString());
      }
      quiet = text.isEmpty() ? quiet + 1 : 0;
      if (quiet >= QUIET_INTERVALS) {
        quiet = 0;
        // A proxy, and the browser, see that the connection lives.
        text.append(":\n\n");
        saysId = true;
      }
      if (saysId) {
        // Also where nothing was heard yet, a browser that listens to another box misses nothing.
        text.append("id: ").append(newestId).append("\n\n");
      }
      return text.toString();
    }

    private static void event(StringBuilder text, String name, String data) {
      text.append("event: ").append(name).append("\ndata: ").append(data).append("\n\n");
    }
  }
}
