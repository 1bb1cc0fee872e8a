package io.lastfix.gateway.service;

import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.http.RecordChecks;
import io.lastfix.model.SenderHeaders;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The Kafka headers of a record ({@link SenderHeaders}), whichever way it came in by. */
public final class RecordHeaders {
  private RecordHeaders() {}

  /**
   * Returns the headers.
   *
   * @param device null if it is not known
   * @param via name of the route
   * @param access to that route
   * @param speaksFor further users that the client may speak for; null: none, or the proof lists
   *     them
   * @param sdk as the client names itself; null if it does not, or the route does not read it
   * @param encoding of the content; null or empty: none
   * @param proof headers that prove the sender, after all others
   */
  public static Map<String, String> of(
      @Nullable String device,
      String via,
      AccessMode access,
      Instant received,
      @Nullable String speaksFor,
      @Nullable String sdk,
      @Nullable String encoding,
      Map<String, String> proof) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (device != null) {
      headers.put(SenderHeaders.DEVICE, device);
    }
    headers.put(SenderHeaders.VIA, via);
    headers.put(SenderHeaders.AUTH, access.name().toLowerCase(Locale.ROOT));
    headers.put(SenderHeaders.RECEIVED, Long.toString(received.toEpochMilli()));
    if (speaksFor != null) {
      headers.put(SenderHeaders.SPEAKS_FOR, speaksFor);
    }
    if (sdk != null) {
      headers.put(SenderHeaders.SDK, sdk);
    }
    if (RecordChecks.isGzip(encoding)) {
      headers.put(SenderHeaders.CONTENT_ENCODING, "gzip");
    }
    headers.putAll(proof);
    return headers;
  }
}
