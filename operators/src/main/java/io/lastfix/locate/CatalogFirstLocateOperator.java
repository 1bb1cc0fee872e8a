package io.lastfix.locate;

import io.lastfix.model.LocationRecord;
import java.time.Duration;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.InputSelectable;
import org.apache.flink.streaming.api.operators.InputSelection;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The join of a bounded job: it reads the whole catalogue before the first record. See {@link
 * LocateOperator#locateAfterCatalog}.
 */
public final class CatalogFirstLocateOperator extends LocateOperator
    implements InputSelectable, BoundedMultiInput {
  /** Accumulator: records that got the position of their cell. */
  public static final String LOCATED = "located";

  /** Accumulator: records whose cell is not in the catalogue. */
  public static final String UNKNOWN = "unknown";

  /** Accumulator: records for which several towers match. */
  public static final String AMBIGUOUS = "ambiguous";

  /** Flink's number of the second input, the catalogue. */
  private static final int CATALOG = 2;

  private boolean isCatalogRead;
  private long unknownRecords;

  CatalogFirstLocateOperator() {
    super(LocateOptions.defaults(), RemovalRetention.DEFAULT, Duration.ZERO);
  }

  @Override
  public InputSelection nextSelection() {
    return isCatalogRead ? InputSelection.ALL : InputSelection.SECOND;
  }

  @Override
  public void endInput(int inputId) {
    isCatalogRead |= inputId == CATALOG;
  }

  @Override
  void awaitCell(StreamRecord<LocationRecord> element) {
    unknownRecords++;
    locateMetrics.waitExpired.inc();
    output.collect(element.replace(element.getValue().at(null)));
  }

  @Override
  public void finish() throws Exception {
    super.finish();
    count(LOCATED, locateMetrics.located.getCount());
    count(AMBIGUOUS, locateMetrics.ambiguous.getCount());
    count(UNKNOWN, unknownRecords);
  }

  private void count(String accumulator, long records) {
    getRuntimeContext().addAccumulator(accumulator, new LongCounter(records));
  }
}
