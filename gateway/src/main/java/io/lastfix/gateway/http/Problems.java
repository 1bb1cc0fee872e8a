package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpStatus;
import io.lastfix.gateway.config.LimitOptions;
import io.lastfix.gateway.config.SdkOptions;
import io.lastfix.gateway.devices.Registration;
import io.lastfix.gateway.devices.RegistrationAnswer;
import io.lastfix.gateway.heartbeats.HeartbeatRequest;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureRefusedException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * Every refusal of the gateway, with its text.
 *
 * @param limits which they name
 * @param budget of what is refused while it is used up
 * @param budgetName what is said of that
 * @param retryAfter the middle of what clients are asked to wait
 * @param random returns a number from 0 to below its argument
 */
public record Problems(
    LimitOptions limits,
    ByteBudget budget,
    String budgetName,
    Duration retryAfter,
    LongUnaryOperator random) {
  /** What to sign, as RFC 9421 (5.1) asks for it. */
  private static final String SIGNATURE =
      Registration.LABEL
          + SignaturePolicy.OF_DEVICES.required().stream()
              .map(name -> '"' + name + '"')
              .collect(Collectors.joining(" ", "=(", ");created;keyid"));

  /** The code of a quota that the devices job has not counted so far. */
  static final String QUOTA_UNCOUNTED = "quota-uncounted";

  /** After midnight, not all devices are to return at once. */
  private static final long QUOTA_JITTER_MILLIS = 10 * 60_000;

  /** The problems of a gateway. */
  public Problems(
      LimitOptions limits, ByteBudget budget, Duration retryAfter, LongUnaryOperator random) {
    this(limits, budget, "requests is used up (limits.budget)", retryAfter, random);
  }

  /** Returns the checks of registrations, which have a budget of their own. */
  public Problems ofRegistrations(ByteBudget own) {
    return new Problems(
        limits,
        own,
        "registrations is used up (8 MB, or twice limits.max-bytes if that is more)",
        retryAfter,
        random);
  }

  /** Whole seconds, at least one: from half to one and a half times the middle. */
  private Map<String, String> retryAfterHeader() {
    long millis = retryAfter.toMillis();
    long jittered = millis / 2 + random.applyAsLong(millis + 1);
    return Map.of("retry-after", seconds(jittered));
  }

  private static String seconds(long millis) {
    return Long.toString(Math.max(1, (millis + 999) / 1000));
  }

  public Problem empty() {
    return Problem.of(HttpStatus.BAD_REQUEST, "empty", "The body is empty")
        .withDetail("Send at least one record.");
  }

  public Problem badRequest(String detail) {
    return Problem.of(HttpStatus.BAD_REQUEST, "bad-request", "The request cannot be understood")
        .withDetail(detail);
  }

  /** Says nothing about which of user and password was wrong. */
  public Problem unauthorized() {
    return Problem.of(HttpStatus.UNAUTHORIZED, "unauthorized", "Who is speaking is not known")
        .withDetail("Send a user and password of access.basic-users (HTTP Basic).")
        .withHeaders(Map.of("www-authenticate", "Basic realm=\"lastfix\", charset=\"UTF-8\""));
  }

  Problem host() {
    return Problem.of(HttpStatus.MISDIRECTED_REQUEST, "host", "The request is for another host")
        .withDetail(
            "A gateway on loopback answers to localhost and to IP addresses. If a proxy on this machine"
                + " passes requests on, set http.plain-behind-proxy: true.");
  }

  Problem crossSite() {
    return Problem.of(
            HttpStatus.FORBIDDEN, "cross-site", "A web page of another site has sent this request")
        .withDetail(
            "The gateway takes nothing from pages (Sec-Fetch-Site, Origin). Send it from a program.");
  }

  Problem closed(String key) {
    return Problem.of(HttpStatus.FORBIDDEN, "closed", "The route is closed")
        .withDetail("The gateway's configuration opens it with %s.".formatted(key));
  }

  /** A profile that the gateway does not accept. */
  public Problem unknownProfile(String profile) {
    String shown = profile.length() <= 60 ? profile : profile.substring(0, 60) + "...";
    return Problem.of(HttpStatus.NOT_FOUND, "unknown-profile", "There is no such profile")
        .withDetail(
            "Profile '%s' is not in profiles.names of the gateway's configuration."
                .formatted(shown));
  }

  Problem notFound() {
    return Problem.of(HttpStatus.NOT_FOUND, "not-found", "There is nothing at this address")
        .withDetail(
            "Records go to POST /v1/records/PROFILE, written exactly so; those of Traccar Client to"
                + " /osmand, those of OwnTracks to /pub.");
  }

  Problem timeout() {
    return Problem.of(HttpStatus.REQUEST_TIMEOUT, "timeout", "The request did not arrive in time")
        .withDetail("Send it again; smaller bodies arrive sooner.")
        .withHeaders(Map.of("connection", "close"));
  }

  public Problem tooLarge(long bytes) {
    return Problem.of(HttpStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", "The body is too large")
        .withDetail(
            "A body may have %d bytes (limits.max-bytes). Send fewer records at once."
                .formatted(limits.maxBytes()))
        .withLimit(limits.maxBytes(), bytes);
  }

  public Problem heartbeatTooLarge(long bytes) {
    int limit = HeartbeatRequest.MAX_BYTES;
    return Problem.of(HttpStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", "The body is too large")
        .withDetail(
            "A heartbeat may have %d bytes. Records go to POST /v1/records/PROFILE."
                .formatted(limit))
        .withLimit(limit, bytes);
  }

  /** A device that has used its quota, or more than the devices job has counted so far. */
  public Problem quota(Quota.Refused refused, int bytes) {
    if (bytes > refused.limit()) {
      return Problem.of(
              HttpStatus.REQUEST_ENTITY_TOO_LARGE,
              "too-large",
              "The request is larger than the device's quota")
          .withDetail(
              "A device may push %d bytes a UTC day (quota.bytes-per-day), and this request has %d. Send fewer records at once."
                  .formatted(refused.limit(), bytes))
          .withLimit(refused.limit(), (long) bytes);
    }
    boolean isUsedUp = !refused.untilReset().isZero();
    long jitterMillis = random.applyAsLong(QUOTA_JITTER_MILLIS);
    Map<String, String> retryAfterHeader =
        isUsedUp
            ? Map.of("retry-after", seconds(refused.untilReset().toMillis() + jitterMillis))
            : retryAfterHeader();
    return Problem.of(
            HttpStatus.TOO_MANY_REQUESTS,
            isUsedUp ? "quota" : QUOTA_UNCOUNTED,
            isUsedUp
                ? "The request has more bytes than the device has left of the day"
                : "The device pushes faster than its bytes are counted")
        .withDetail(
            "A device may push %d bytes a UTC day (quota.bytes-per-day), %d are left, and this request has %d."
                    .formatted(
                        refused.limit(), Math.max(0, refused.limit() - refused.used()), bytes)
                + " Send it again after the time in Retry-After.")
        .withLimit(refused.limit(), refused.used())
        .withHeaders(retryAfterHeader);
  }

  Problem opensTooLarge(long bytes) {
    return Problem.of(
            HttpStatus.REQUEST_ENTITY_TOO_LARGE,
            "opens-too-large",
            "The body is too large when decompressed")
        .withDetail(
            "A body may open to %d bytes (limits.max-opened-bytes); it was opened no further than"
                    .formatted(limits.maxOpenedBytes())
                + " that. Send fewer records at once.")
        .withLimit(limits.maxOpenedBytes(), bytes);
  }

  Problem ratio(long ratio) {
    return Problem.of(
            HttpStatus.REQUEST_ENTITY_TOO_LARGE, "ratio", "The body is compressed too much")
        .withDetail("A byte may open to %d (limits.max-ratio).".formatted(limits.maxRatio()))
        .withLimit(limits.maxRatio(), ratio);
  }

  Problem encoding() {
    return Problem.of(
            HttpStatus.UNSUPPORTED_MEDIA_TYPE, "encoding", "The content's encoding is not known")
        .withDetail("Send plain bodies, or gzip with the header Content-Encoding: gzip.")
        .withHeaders(Map.of("accept-encoding", "gzip, identity"));
  }

  public Problem plainOnly() {
    return Problem.of(
            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
            "encoding",
            "The content's encoding is not taken here")
        .withDetail("Send a plain body.")
        .withHeaders(Map.of("accept-encoding", "identity"));
  }

  /** A signature that is refused. */
  Problem ofSignature(SignatureRefusedException refused) {
    RefusalReason reason = refused.reason();
    Problem problem =
        Problem.of(
                HttpStatus.valueOf(reason.status()),
                reason.code(),
                switch (reason) {
                  case DEVICE_DISABLED -> "The device is disabled";
                  case GROUP_KEY_ABSENT, DECISIONS_UNKNOWN -> "The signature cannot be checked now";
                  default -> "The request's signature is not valid";
                })
            .withDetail(String.valueOf(refused.getMessage()));
    return switch (reason) {
      case DEVICE_DISABLED -> problem;
      case GROUP_KEY_ABSENT, DECISIONS_UNKNOWN -> problem.withHeaders(retryAfterHeader());
      default ->
          problem.withHeaders(
              Map.of("www-authenticate", "Signature", "accept-signature", SIGNATURE));
    };
  }

  /** A registration that is refused. */
  public Problem ofRegistration(RegistrationAnswer.Refused refused) {
    Problem problem =
        Problem.of(
                HttpStatus.valueOf(refused.status()),
                refused.reason().code(),
                "The device is not registered")
            .withDetail(refused.message());
    return switch (refused.reason()) {
      case UNKNOWN_TOKEN ->
          problem.withHeaders(Map.of("www-authenticate", "Bearer realm=\"lastfix\""));
      case UNAVAILABLE -> problem.withHeaders(retryAfterHeader());
      default -> problem;
    };
  }

  Problem sdkTooOld(String client, String version, SdkOptions.Range range) {
    return Problem.of(
            HttpStatus.UPGRADE_REQUIRED, "sdk", "This release of the client may not write")
        .withDetail(
            "%s %s is not in the accepted range %s. Update the client."
                .formatted(client, version, range.text()))
        // RFC 9110 (15.5.22) requires it. The protocol is the client's own.
        .withHeaders(Map.of("upgrade", client, "connection", "upgrade"));
  }

  /** An address with another method. */
  Problem methodNotAllowed(Collection<String> methods) {
    return Problem.of(
            HttpStatus.METHOD_NOT_ALLOWED, "http-405", HttpStatus.METHOD_NOT_ALLOWED.reasonPhrase())
        .withDetail("This address takes %s.".formatted(String.join(" and ", methods)))
        .withHeaders(Map.of("allow", String.join(", ", methods)));
  }

  Problem overloaded() {
    return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", "The gateway is busy")
        .withDetail("The memory for %s. Send it again later.".formatted(budgetName))
        .withLimit(budget.limit(), budget.used())
        .withHeaders(retryAfterHeader());
  }

  Problem tooManyRequests(int limit) {
    return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", "The gateway is busy")
        .withDetail("Too many requests are open (limits.max-requests). Send it again later.")
        .withLimit(limit, null)
        .withHeaders(retryAfterHeader());
  }

  Problem headTooLarge(int characters, int limit) {
    return Problem.of(
            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "head-too-large",
            "The request's head is too large")
        .withDetail(
            "Target and headers may have %d characters together, because they go to Kafka beside the"
                    .formatted(limit)
                + " body. Send a shorter query, or shorter headers.")
        .withLimit(limit, (long) characters);
  }

  Problem notStored() {
    return Problem.of(
            HttpStatus.SERVICE_UNAVAILABLE, "not-stored", "Kafka has not acknowledged the record")
        .withDetail(
            "Send it again later. If it was stored after all, the second one changes nothing.")
        .withHeaders(retryAfterHeader());
  }

  /** A body that Kafka's topic does not take. */
  public Problem tooLargeForTopic() {
    return Problem.of(
            HttpStatus.REQUEST_ENTITY_TOO_LARGE,
            "too-large-for-topic",
            "The body is too large for its topic")
        .withDetail(
            "The topic's max.message.bytes was lowered since the gateway started. Send fewer records at"
                + " once.");
  }

  Problem draining() {
    return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "draining", "The gateway stops")
        .withDetail("Send it again; another gateway will take it.")
        .withHeaders(retryAfterHeader());
  }

  Problem ofStatus(HttpStatus status) {
    Problem problem =
        Problem.of(status, "http-" + status.code(), status.reasonPhrase())
            .withDetail("The gateway cannot answer this request.");
    return status.code() == 503 || status.code() == 429
        ? problem.withHeaders(retryAfterHeader())
        : problem;
  }
}
