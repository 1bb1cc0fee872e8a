package io.lastfix.presence;

import io.lastfix.parse.RawMessage;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/**
 * The watermark of a partition of {@code lastfix.heartbeats}: just before its greatest append time.
 *
 * <p>A message with its producer's time moves nothing. Such a time can be any, and the watermark
 * never returns: one from next year would mark every device offline.
 */
public final class AppendTimeWatermarks implements WatermarkGenerator<RawMessage> {
  private long greatestMillis = Long.MIN_VALUE;

  /** For the source; each partition gets a watermark of its own. */
  public static WatermarkStrategy<RawMessage> strategy() {
    return WatermarkStrategy.forGenerator(context -> new AppendTimeWatermarks());
  }

  @Override
  public void onEvent(RawMessage message, long timestampMillis, WatermarkOutput output) {
    if (message.appendTimeMillis() != RawMessage.UNKNOWN_TIME) {
      greatestMillis = Math.max(greatestMillis, message.appendTimeMillis());
    }
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    if (greatestMillis != Long.MIN_VALUE) {
      output.emitWatermark(new Watermark(greatestMillis - 1));
    }
  }
}
