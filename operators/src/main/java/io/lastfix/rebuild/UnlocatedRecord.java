package io.lastfix.rebuild;

import io.lastfix.model.LocationRecord;
import io.lastfix.serialization.LocationRecordSerializer;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import java.io.IOException;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.Collector;

/**
 * A record that is stored without a position.
 *
 * @param isRadioKept whether the document says which radio the record named, or that it named none;
 *     documents of former releases do not
 */
public record UnlocatedRecord(LocationRecord record, boolean isRadioKept) {
  /** How the values cross the network between tasks. */
  public static final TypeInformation<UnlocatedRecord> TYPE =
      new VersionedTypeInformation<>(UnlocatedRecord.class, new Serializer());

  /**
   * Passes the records on that may be joined with the catalogue, and counts both kinds in
   * accumulators of the job. Without its radio a record could get the position of a tower of
   * another radio.
   */
  public static final class Selection extends RichFlatMapFunction<UnlocatedRecord, LocationRecord> {
    private final String selectedName;
    private final String leftOutName;
    private final boolean isAlsoWithoutRadio;
    private final LongCounter selected = new LongCounter();
    private final LongCounter leftOut = new LongCounter();

    /**
     * Counts under these accumulator names.
     *
     * @param selectedName of the records that are passed on
     * @param leftOutName of those that are not
     * @param isAlsoWithoutRadio passes all on, as if those of former releases had named no radio
     */
    public Selection(String selectedName, String leftOutName, boolean isAlsoWithoutRadio) {
      this.selectedName = selectedName;
      this.leftOutName = leftOutName;
      this.isAlsoWithoutRadio = isAlsoWithoutRadio;
    }

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().addAccumulator(selectedName, selected);
      getRuntimeContext().addAccumulator(leftOutName, leftOut);
    }

    @Override
    public void flatMap(UnlocatedRecord unlocated, Collector<LocationRecord> output) {
      if (unlocated.isRadioKept || isAlsoWithoutRadio) {
        selected.add(1);
        output.collect(unlocated.record);
      } else {
        leftOut.add(1);
      }
    }
  }

  /** Layout of version 1: record, 1 byte 1 if the radio is kept, otherwise 0. */
  static final class Serializer extends VersionedSerializer<UnlocatedRecord> {
    private static final int VERSION = 1;

    private final LocationRecordSerializer records = new LocationRecordSerializer();

    Serializer() {
      super(VERSION);
    }

    @Override
    protected void write(UnlocatedRecord unlocated, DataOutputView target) throws IOException {
      records.serialize(unlocated.record, target);
      target.writeBoolean(unlocated.isRadioKept);
    }

    @Override
    protected UnlocatedRecord read(DataInputView source, int version) throws IOException {
      return new UnlocatedRecord(records.deserialize(source), source.readBoolean());
    }

    @Override
    public UnlocatedRecord createInstance() {
      return new UnlocatedRecord(records.createInstance(), true);
    }

    @Override
    public TypeSerializerSnapshot<UnlocatedRecord> snapshotConfiguration() {
      return new Snapshot();
    }
  }

  /** Flink instantiates it when it restores state; the job that reads these has no savepoints. */
  public static final class Snapshot extends VersionedSnapshot<UnlocatedRecord> {
    /** Called by Flink. */
    public Snapshot() {
      super(Serializer.VERSION, version -> new Serializer());
    }
  }
}
