package io.lastfix.model;

import java.util.List;

/**
 * The headers of a Kafka message that name its sender, as a gateway writes them. Kafka keeps them
 * as they are, and every client that may write to the topic can write them, too.
 */
public final class SenderHeaders {
  /** The device: the id of a registered one, or the user of HTTP Basic. */
  public static final String DEVICE = "device";

  /** The route that the message came by, such as {@code records} or {@code mqtt-records}. */
  public static final String VIA = "via";

  /** How the gateway authenticated the device: {@link #SIGNED}, {@link #BASIC} or unsigned. */
  public static final String AUTH = "auth";

  /** The value of {@link #AUTH} for a signature of the device. */
  public static final String SIGNED = "signed";

  /** The value of {@link #AUTH} for a user's password. */
  public static final String BASIC = "basic";

  /** Users that the device may send records of besides itself: see {@link UserPatterns}. */
  public static final String SPEAKS_FOR = "speaks-for";

  /** When the gateway received it, in milliseconds since 1970. */
  public static final String RECEIVED = "received";

  /** The client and its version, if it named them. */
  public static final String SDK = "sdk";

  /** {@code gzip}, if the sender declared it. */
  public static final String CONTENT_ENCODING = "content-encoding";

  /** The span in which the gateway sent it (W3C Trace Context), if its request is traced. */
  public static final String TRACEPARENT = "traceparent";

  /**
   * Marks a rejected message whose sender headers were too long to be kept: the number of their
   * bytes. They can be read at its origin.
   */
  public static final String OMITTED = "sender-headers-omitted";

  /**
   * All headers that a gateway writes. They stay with a message that is rejected and replayed, so
   * that its sender is still known, and its signature can still be proved.
   */
  public static final List<String> ALL =
      List.of(
          DEVICE,
          VIA,
          AUTH,
          RECEIVED,
          SPEAKS_FOR,
          SDK,
          "method",
          "path",
          "query",
          "signature-input",
          "signature",
          "content-digest",
          "content-type",
          CONTENT_ENCODING,
          TRACEPARENT);

  private SenderHeaders() {}
}
