package io.lastfix.catalogs;

import io.lastfix.model.CellEntry;
import io.lastfix.model.Revision;
import io.lastfix.parse.ParseFunction;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.parse.Rejection;
import io.lastfix.serialization.RecordTypes;
import java.util.Objects;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Parses the messages of {@code lastfix.cells}. A message that is not a catalogue entry goes to
 * {@link ParseFunction#REJECTED} with the stage {@link #STAGE}; the cell's known entry stays valid.
 *
 * <p>Metrics in the operator's group count since the subtask's start: {@code entries} forwarded and
 * {@code entriesRejected}. Their sum is the number of messages read.
 */
public final class CellEntryFunction extends ProcessFunction<RawMessage, CellEntry>
    implements ResultTypeQueryable<CellEntry> {
  /** The stage that a {@link RejectedMessage} of this function names. */
  public static final String STAGE = "catalog";

  private transient @Nullable Counter entries;
  private transient @Nullable Counter entriesRejected;

  @Override
  public void open(OpenContext openContext) {
    entries = getRuntimeContext().getMetricGroup().counter("entries");
    entriesRejected = getRuntimeContext().getMetricGroup().counter("entriesRejected");
  }

  @Override
  public void processElement(RawMessage message, Context context, Collector<CellEntry> out) {
    CellEntry entry;
    try {
      if (message.omittedBytes() > 0) {
        throw CellEntryException.tooLarge(message.bytes());
      }
      entry =
          CellEntryJson.read(
              message.key(), message.value(), revision(message, context.timestamp()));
    } catch (CellEntryException e) {
      Objects.requireNonNull(entriesRejected, "open() has not been called").inc();
      Rejection rejection = new Rejection(e.reason(), String.valueOf(e.getMessage()));
      context.output(ParseFunction.REJECTED, new RejectedMessage(message, rejection, STAGE));
      return;
    }
    Objects.requireNonNull(entries, "open() has not been called").inc();
    out.collect(entry);
  }

  /**
   * Takes Kafka's timestamp from the stream element. If there is none, the number is -1, as in
   * Kafka.
   */
  private static Revision revision(RawMessage message, @Nullable Long timestampMillis) {
    return new Revision(
        timestampMillis == null ? -1 : Math.max(-1, timestampMillis),
        message.offset(),
        message.partition());
  }

  @Override
  public TypeInformation<CellEntry> getProducedType() {
    return RecordTypes.CELL_ENTRY;
  }
}
