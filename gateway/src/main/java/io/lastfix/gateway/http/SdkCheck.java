package io.lastfix.gateway.http;

import io.lastfix.gateway.config.SdkOptions;
import io.lastfix.gateway.metrics.GatewayMetrics;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.semver4j.Semver;

/**
 * Checks the header {@code Lastfix-SDK: CLIENT/VERSION}.
 *
 * @param options which releases may write
 * @param metrics counts the clients
 * @param problems the refusals
 */
public record SdkCheck(SdkOptions options, GatewayMetrics metrics, Problems problems) {
  /** The header's name. */
  public static final String HEADER = "lastfix-sdk";

  private static final Pattern VALUE = Pattern.compile("([A-Za-z0-9._-]{1,40})/([!-~]{1,60})");

  /** Returns why the client may not write; null if it may. */
  public @Nullable Problem check(@Nullable String header) {
    if (header == null) {
      return options.required()
          ? problems.badRequest("The header Lastfix-SDK: CLIENT/VERSION is missing.")
          : null;
    }
    Matcher matcher = VALUE.matcher(header);
    Semver version = matcher.matches() ? Semver.parse(matcher.group(2)) : null;
    if (version == null) {
      return problems.badRequest(
          "Expected Lastfix-SDK: CLIENT/VERSION, with a version such as 1.2.0.");
    }
    String client = matcher.group(1);
    SdkOptions.Range range = options.ranges().get(client);
    boolean isAccepted = range == null || range.contains(version);
    metrics.client(client, version.getVersion(), isAccepted, range != null);
    return range == null || isAccepted
        ? null
        : problems.sdkTooOld(client, version.getVersion(), range);
  }
}
