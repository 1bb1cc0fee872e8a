package io.lastfix.gateway.mqtt;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs refused messages, at most one line a minute for each reason. Thread-safe. */
final class RefusalLog {
  static final Duration INTERVAL = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
  private static final int SHOWN_TOPIC = 100;
  private static final int SHOWN_DETAIL = 300;

  private final LongSupplier nanoTime;
  private final Map<String, Window> windows = new ConcurrentHashMap<>();

  /** What was logged and left out of one reason. */
  private static final class Window {
    private long since;
    private long leftOut;
    private boolean isFirst = true;
  }

  /** A log by this clock, {@code System::nanoTime}. */
  RefusalLog(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Logs a refusal, or counts it for the reason's next line.
   *
   * @param reason one of a closed set, so that this needs no bound
   * @return whether a line was written
   */
  boolean log(String topic, String reason, String detail) {
    Window window = windows.computeIfAbsent(reason, none -> new Window());
    long leftOut;
    synchronized (window) {
      long now = nanoTime.getAsLong();
      if (!window.isFirst && now - window.since < INTERVAL.toNanos()) {
        window.leftOut++;
        return false;
      }
      leftOut = window.leftOut;
      window.isFirst = false;
      window.since = now;
      window.leftOut = 0;
    }
    LOG.warn(
        "refused a message on topic {} ({}): {} {} more since the last line",
        printable(topic, SHOWN_TOPIC),
        reason,
        printable(detail, SHOWN_DETAIL),
        leftOut);
    return true;
  }

  /**
   * Returns a text without line breaks, and no longer than useful. The publisher chooses a topic,
   * and a detail may quote it.
   */
  static String printable(String text, int length) {
    String shown = text.length() > length ? text.substring(0, length) + "..." : text;
    return shown.replaceAll("[^ -~]", "?");
  }
}
