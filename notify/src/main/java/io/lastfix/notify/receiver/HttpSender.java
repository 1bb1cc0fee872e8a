package io.lastfix.notify.receiver;

import io.lastfix.kit.failure.RootCause;
import io.lastfix.kit.failure.TlsFailure;
import io.lastfix.kit.text.PrintableText;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Posts JSON, follows no redirect, and reads no more of an answer than its status. */
public final class HttpSender {
  /** Of a body, which is read so that the connection can be used again. */
  private static final int MOST_BYTES = 64 * 1024;

  /**
   * Answers about this alert, or that the receiver is gone for good. All others may end within the
   * time of attempts: 401 with a new secret, 404 with a deployment.
   */
  private static final Set<Integer> FINAL = Set.of(400, 410, 413, 415, 422);

  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");
  private static final int MOST_CHARACTERS = 200;

  private final HttpClient client;
  private final Duration timeout;
  private final InstantSource clock;

  /**
   * A client for several receivers.
   *
   * @param timeout of a request, from connecting to the end of the answer
   */
  public HttpSender(Duration timeout, InstantSource clock) {
    this.timeout = timeout;
    this.clock = clock;
    client =
        HttpClient.newBuilder()
            // Over http://, the client would otherwise send each request as an upgrade.
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeout)
            .build();
  }

  /** Makes one attempt. */
  CompletableFuture<Outcome> post(URI url, Map<String, String> headers, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("content-type", "application/json")
            .header("user-agent", "lastfix-notify")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    CompletableFuture<HttpResponse<Void>> exchange =
        client.sendAsync(request.build(), head -> new IgnoredBody(MOST_BYTES));
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    var unused =
        exchange.whenComplete(
            (answer, failure) ->
                outcome.complete(failure == null ? ofAnswer(answer) : ofFailure(failure)));
    // A request's own timeout ends with the head of the answer.
    return outcome
        .completeOnTimeout(
            new Outcome.Failed("no answer within %d ms".formatted(timeout.toMillis())),
            timeout.toMillis(),
            TimeUnit.MILLISECONDS)
        .whenComplete((done, none) -> exchange.cancel(true));
  }

  private Outcome ofAnswer(HttpResponse<Void> answer) {
    int status = answer.statusCode();
    if (status >= 200 && status < 300) {
      return new Outcome.Delivered();
    }
    String reason = "the answer was " + status;
    return FINAL.contains(status)
        ? new Outcome.Refused(reason)
        : new Outcome.Failed(
            reason,
            answer.headers().firstValue("retry-after").map(this::retryAfter).orElse(Duration.ZERO));
  }

  /** Seconds, or a date; anything else does not count. */
  private Duration retryAfter(String text) {
    if (SECONDS.matcher(text).matches()) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      Instant at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration pause = Duration.between(clock.instant(), at);
      return pause.isNegative() ? Duration.ZERO : pause;
    } catch (DateTimeParseException e) {
      return Duration.ZERO;
    }
  }

  private static Outcome ofFailure(Throwable failure) {
    String reason =
        isOfInvalidHttp(failure)
            ? "the receiver has sent no valid HTTP"
            : TlsFailure.in(failure)
                .map(TlsFailure::reason)
                .orElseGet(() -> RootCause.message(failure));
    return new Outcome.Failed("no answer: " + PrintableText.of(reason, MOST_CHARACTERS));
  }

  /** Their messages quote what the receiver has sent. */
  private static boolean isOfInvalidHttp(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProtocolException || cause instanceof NumberFormatException) {
        return true;
      }
    }
    return false;
  }
}
