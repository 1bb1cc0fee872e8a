package io.lastfix.console.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import java.util.Map;

/**
 * A refusal, as RFC 9457 describes it.
 *
 * @param status of HTTP
 * @param code short and stable, for programs; the last part of {@code type}
 * @param title the same for each occurrence
 * @param detail of this occurrence, with the remedy
 * @param headers of the answer
 */
public record Problem(
    HttpStatus status, String code, String title, String detail, Map<String, String> headers) {
  private static final MediaType TYPE = MediaType.parse("application/problem+json");
  private static final Map<String, String> RETRY = Map.of("retry-after", "2");

  private static Problem of(HttpStatus status, String code, String title) {
    return new Problem(status, code, title, "", Map.of());
  }

  private Problem withDetail(String text) {
    return new Problem(status, code, title, text, headers);
  }

  private Problem withHeaders(Map<String, String> all) {
    return new Problem(status, code, title, detail, all);
  }

  /** A parameter that is missing, unknown or invalid. */
  public static Problem parameter(String detail) {
    return of(HttpStatus.BAD_REQUEST, "parameter", "A parameter is not valid").withDetail(detail);
  }

  /** Nothing was found by that name. */
  public static Problem unknown(String detail) {
    return of(HttpStatus.NOT_FOUND, "unknown", "Nothing was found").withDetail(detail);
  }

  /** No route. */
  public static Problem notFound() {
    return of(HttpStatus.NOT_FOUND, "not-found", "There is nothing at this address")
        .withDetail("GET /v1/openapi.json lists the addresses.");
  }

  /** Another method than GET. */
  public static Problem methodNotAllowed() {
    return of(HttpStatus.METHOD_NOT_ALLOWED, "http-405", "Method Not Allowed")
        .withDetail("This address takes GET.")
        .withHeaders(Map.of("allow", "GET"));
  }

  /** A request without the token, or with another one. */
  public static Problem token() {
    return of(HttpStatus.UNAUTHORIZED, "token", "The request has no valid token")
        .withDetail("Send the console's token: Authorization: Bearer TOKEN.")
        .withHeaders(Map.of("www-authenticate", "Bearer realm=\"lastfix\""));
  }

  /** A request that was sent to another name than this machine's own. */
  public static Problem host() {
    return of(HttpStatus.MISDIRECTED_REQUEST, "host", "The request is for another host")
        .withDetail("Without a token the console answers to localhost and to IP addresses only.");
  }

  /** A request that a page of another site has had the user's browser send. */
  public static Problem crossSite() {
    return of(
            HttpStatus.FORBIDDEN, "cross-site", "A web page of another site has sent this request")
        .withDetail("Without a token the console answers its own page and programs only.");
  }

  /**
   * Too many queries at once.
   *
   * @param own those of the same client
   */
  public static Problem overloaded(int limit, int own) {
    return busy(
        "%d queries wait already, %d of them from your address. Send it again later."
            .formatted(limit, own));
  }

  /** A query that gave its place to that of a client with fewer. */
  public static Problem placeGiven() {
    return busy(
        "Another client needs a place, and most queries were from your address. Send it again"
            + " later, and fewer at once.");
  }

  /** Too many bytes of answers wait for their readers. */
  public static Problem slowReaders() {
    return busy(
        "Readers have not read their answers yet. Send it again later, or with a smaller limit.");
  }

  /**
   * Too many browsers listen.
   *
   * @param own those of the same client
   */
  public static Problem tooManyStreams(int limit, int own) {
    return busy(
        "%d clients listen already, %d of them from your address. Close other pages or programs that listen, or query from time to time."
            .formatted(limit, own));
  }

  /** A browser that gave its place to one of a client with fewer. */
  public static Problem streamGiven() {
    return busy(
        "Another client needs a place, and most that listen are from your address. Close other pages or programs that listen.");
  }

  private static Problem busy(String detail) {
    return of(HttpStatus.SERVICE_UNAVAILABLE, "overloaded", "The console is busy")
        .withDetail(detail)
        .withHeaders(RETRY);
  }

  /** There is no topic of located records. */
  public static Problem liveOff() {
    return of(HttpStatus.NOT_FOUND, "live-off", "Nothing comes live")
        .withDetail(
            "The job publishes no located records: set located.topic, and start the console with that"
                + " configuration.");
  }

  /** MongoDB does not answer. */
  public static Problem storeUnavailable() {
    return of(HttpStatus.SERVICE_UNAVAILABLE, "store-unavailable", "MongoDB does not answer")
        .withDetail("The console tries again with the next request.")
        .withHeaders(RETRY);
  }

  /** MongoDB aborted the query. */
  public static Problem timeLimit(String detail) {
    return of(HttpStatus.GATEWAY_TIMEOUT, "time-limit", "The query takes too long")
        .withDetail(detail);
  }

  /** The console failed; its log names the request. */
  static Problem failed(String request) {
    return ofStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        .withDetail("The console failed: the reason is in its log, under request " + request + ".");
  }

  /** Any other status of the server itself. */
  public static Problem ofStatus(HttpStatus status) {
    return of(status, "http-" + status.code(), status.reasonPhrase())
        .withDetail("The console cannot answer this request.");
  }

  /** The answer. */
  public HttpResponse toResponse() {
    return toAggregatedResponse().toHttpResponse();
  }

  AggregatedHttpResponse toAggregatedResponse() {
    ResponseHeadersBuilder builder = ResponseHeaders.builder(status).contentType(TYPE);
    headers.forEach(builder::add);
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", "urn:lastfix:problem:" + code)
            .put("title", title)
            .put("status", status.code())
            .put("detail", detail);
    return AggregatedHttpResponse.of(builder.build(), HttpData.ofUtf8(json.toString()));
  }
}
