package io.lastfix.model.web;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes requests that are meant for a server on loopback from those that a foreign web page
 * makes the user's browser send. Such a page reaches loopback in two ways. It addresses it: the
 * browser then sends {@code Sec-Fetch-Site} or {@code Origin}, which no page can change. Or its own
 * name stands for loopback for a while (DNS rebinding): then {@code Host} has that name.
 */
public final class LocalRequests {
  /** Digits and dots, or an IPv6 address in brackets: no name, so no DNS server answers for it. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9]+(\\.[0-9]+){3}|\\[[0-9a-f:.]+]");

  /**
   * Addresses that a browser takes for loopback, but not for this machine's own: to these it sends
   * neither header.
   */
  private static final Pattern UNMARKED =
      Pattern.compile("0+(\\.0+){3}|\\[[0:.]+]|\\[[0:]*:ffff:.*");

  private static final Pattern PORT = Pattern.compile(":[0-9]*$");

  private LocalRequests() {}

  /**
   * Returns whether an authority is {@code localhost} or an IP address, with or without a port. Not
   * {@code 0.0.0.0} and its like: browsers mark no request to these.
   *
   * @param authority the value of {@code Host} or {@code :authority}; null: absent
   */
  public static boolean isLocal(@Nullable String authority) {
    if (authority == null) {
      return false;
    }
    String host = PORT.matcher(authority.trim().toLowerCase(Locale.ROOT)).replaceFirst("");
    return host.equals("localhost")
        || (ADDRESS.matcher(host).matches() && !UNMARKED.matcher(host).matches());
  }

  /**
   * Returns whether a page of another origin made the browser send a request. Programs that are no
   * browsers send neither header, and a user who types an address sends {@code none}.
   *
   * @param site the value of {@code Sec-Fetch-Site}; null: absent
   * @param origin the value of {@code Origin}; null: absent
   * @param authority the value of {@code Host} or {@code :authority}; null: absent
   */
  public static boolean isForeign(
      @Nullable String site, @Nullable String origin, @Nullable String authority) {
    if (site != null) {
      return !site.equals("same-origin") && !site.equals("none");
    }
    if (origin == null) {
      return false;
    }
    try {
      String own = URI.create(origin).getRawAuthority();
      return own == null || !own.equalsIgnoreCase(authority);
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  /**
   * Returns whether the user has followed a link to here: the other page learns nothing of the
   * answer.
   *
   * @param method of the request
   * @param mode the value of {@code Sec-Fetch-Mode}; null: absent
   * @param destination the value of {@code Sec-Fetch-Dest}; null: absent
   */
  public static boolean isVisit(
      String method, @Nullable String mode, @Nullable String destination) {
    return method.equals("GET") && "navigate".equals(mode) && "document".equals(destination);
  }
}
