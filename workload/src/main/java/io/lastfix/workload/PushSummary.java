package io.lastfix.workload;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * The result of a push; the broker has acknowledged all messages.
 *
 * @param messages Kafka messages
 * @param records records in them, good, repeated and malformed; 0 for files, whose content is not
 *     parsed
 * @param duplicates records in messages that had been sent before
 * @param rejected records that a parser must reject
 * @param bytes of the messages' values, before Kafka compresses them
 * @param seconds from the first message to the last acknowledgement
 */
public record PushSummary(
    long messages, long records, long duplicates, long rejected, long bytes, double seconds) {

  /** Records a second; messages a second if the records are unknown. */
  @JsonProperty("perSecond")
  public double perSecond() {
    return (records > 0 ? records : messages) / Math.max(seconds, 1e-9);
  }

  /** The sum of this and another push. */
  public PushSummary plus(PushSummary other) {
    return new PushSummary(
        messages + other.messages,
        records + other.records,
        duplicates + other.duplicates,
        rejected + other.rejected,
        bytes + other.bytes,
        seconds + other.seconds);
  }

  /** One line for the user. */
  public String toLine() {
    String what = counted(messages, "message");
    if (records > 0) {
      what = counted(records, "record") + " in " + what;
    }
    return String.format(
        Locale.ROOT,
        "Sent %s, %.1f MB in %.1f s: %,.0f %s/s",
        what,
        bytes / 1e6,
        seconds,
        perSecond(),
        records > 0 ? "records" : "messages");
  }

  private static String counted(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }
}
