package io.lastfix.gateway.http;

import io.lastfix.gateway.config.LimitOptions;
import io.lastfix.gateway.heartbeats.HeartbeatRequest;
import org.jspecify.annotations.Nullable;

/**
 * What every way into the gateway checks of a message, before it authenticates the sender.
 *
 * @param services with the limits
 */
public record RecordChecks(RecordServices services) {
  /** A body that opens to no more than this may have any ratio: it does no harm. */
  private static final int RATIO_FREE_BYTES = 64 * 1024;

  /**
   * Looks at what is known before the body.
   *
   * @param sdk the client and its version; null if it names none
   * @param checksSdk whether clients of this way name their release
   * @param encoding of the content; null: none
   * @param bytes of the body; negative if not known
   * @return null if there is no problem
   */
  public @Nullable Problem refuseHead(
      String profile,
      @Nullable String sdk,
      boolean checksSdk,
      @Nullable String encoding,
      long bytes) {
    Problems problems = services.problems();
    if (!services.topics().containsKey(profile)) {
      return problems.unknownProfile(profile);
    }
    Problem ofSdk = checksSdk ? services.sdk().check(sdk) : null;
    if (ofSdk != null) {
      return ofSdk;
    }
    return refuseBody(encoding, bytes);
  }

  /**
   * Looks at what is known of a body before it is read.
   *
   * @param encoding of the content; null: none
   * @param bytes of the body; negative if not known
   * @return null if there is no problem
   */
  public @Nullable Problem refuseBody(@Nullable String encoding, long bytes) {
    if (!isKnownEncoding(encoding)) {
      return services.problems().encoding();
    }
    return bytes > services.limits().maxBytes() ? services.problems().tooLarge(bytes) : null;
  }

  /**
   * Looks at what is known of a heartbeat before its body.
   *
   * @param sdk the client and its version; null if it names none
   * @param encoding of the content; null: none
   * @param bytes of the body; negative if not known
   * @return null if there is no problem
   */
  public @Nullable Problem refuseHeartbeat(
      @Nullable String sdk, @Nullable String encoding, long bytes) {
    Problem ofSdk = services.sdk().check(sdk);
    if (ofSdk != null) {
      return ofSdk;
    }
    if (!isPlain(encoding)) {
      return services.problems().plainOnly();
    }
    return bytes > HeartbeatRequest.MAX_BYTES ? services.problems().heartbeatTooLarge(bytes) : null;
  }

  /** Looks at what a body opens to; null if there is no problem. */
  public @Nullable Problem refuseOpened(byte[] body) {
    if (!OpenedSize.isGzip(body)) {
      return null;
    }
    LimitOptions limits = services.limits();
    long byRatio = Math.max(RATIO_FREE_BYTES, (long) body.length * limits.maxRatio());
    long opened = OpenedSize.of(body, Math.min(limits.maxOpenedBytes(), byRatio));
    if (opened > byRatio) {
      return services.problems().ratio(opened / body.length);
    }
    return opened > limits.maxOpenedBytes() ? services.problems().opensTooLarge(opened) : null;
  }

  /** Whether the encoding is gzip. */
  public static boolean isGzip(@Nullable String encoding) {
    return encoding != null
        && (encoding.trim().equalsIgnoreCase("gzip") || encoding.trim().equalsIgnoreCase("x-gzip"));
  }

  private static boolean isKnownEncoding(@Nullable String encoding) {
    return isPlain(encoding) || isGzip(encoding);
  }

  /** Whether the content is not encoded. */
  public static boolean isPlain(@Nullable String encoding) {
    return encoding == null || encoding.isBlank() || encoding.trim().equalsIgnoreCase("identity");
  }
}
