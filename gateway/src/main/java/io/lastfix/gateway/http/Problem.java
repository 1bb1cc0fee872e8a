package io.lastfix.gateway.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A refusal, as RFC 9457 describes it: {@code application/problem+json}.
 *
 * @param status of HTTP
 * @param code short and stable, for programs and metrics; the last part of {@code type}
 * @param title the same for each occurrence
 * @param detail of this occurrence, with the remedy
 * @param limit that was exceeded; null if it was none
 * @param used what the request would have needed, or what is in use; null if that is not known
 * @param headers of the answer
 */
public record Problem(
    int status,
    String code,
    String title,
    String detail,
    @Nullable Long limit,
    @Nullable Long used,
    Map<String, String> headers) {
  private static final MediaType TYPE = MediaType.parse("application/problem+json");

  /** A problem without a detail or a limit. */
  static Problem of(HttpStatus status, String code, String title) {
    return new Problem(status.code(), code, title, "", null, null, Map.of());
  }

  Problem withDetail(String text) {
    return new Problem(status, code, title, text, limit, used, headers);
  }

  Problem withLimit(long limitOf, @Nullable Long usedOf) {
    return new Problem(status, code, title, detail, limitOf, usedOf, headers);
  }

  /** The answer is the last one of its connection (HTTP/1). */
  Problem closing() {
    Map<String, String> all = new HashMap<>(headers);
    all.put("connection", "close");
    return withHeaders(all);
  }

  Problem withHeaders(Map<String, String> more) {
    return new Problem(status, code, title, detail, limit, used, more);
  }

  /**
   * Whether the same request may succeed within the hour. A quota that is used up lasts until
   * midnight.
   */
  public boolean passesSoon() {
    return status == HttpStatus.SERVICE_UNAVAILABLE.code()
        || status == HttpStatus.REQUEST_TIMEOUT.code()
        || code.equals(Problems.QUOTA_UNCOUNTED);
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
            .put("status", status)
            .put("detail", detail);
    if (limit != null) {
      json.put("limit", limit);
    }
    if (used != null) {
      json.put("used", used);
    }
    return AggregatedHttpResponse.of(builder.build(), HttpData.ofUtf8(json.toString()));
  }
}
