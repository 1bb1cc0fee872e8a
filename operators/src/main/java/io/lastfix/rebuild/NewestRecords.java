package io.lastfix.rebuild;

import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.LocatedRecordSerializer;
import io.lastfix.serialization.VersionedSerializer;
import io.lastfix.serialization.VersionedSnapshot;
import io.lastfix.serialization.VersionedTypeInformation;
import io.lastfix.store.lastknown.LocatedRecordOrder;
import java.io.IOException;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * What Last Known Location keeps of the located records of one user.
 *
 * @param last the newest
 * @param fix the newest with a position of its own; null if none has one
 */
public record NewestRecords(LocatedRecord last, @Nullable LocatedRecord fix) {
  /** How the values cross the network between tasks. */
  public static final TypeInformation<NewestRecords> TYPE =
      new VersionedTypeInformation<>(NewestRecords.class, new Serializer());

  /** Returns what is kept of a single record. */
  public static NewestRecords of(LocatedRecord record) {
    return new NewestRecords(record, record.hasOwnPosition() ? record : null);
  }

  /** Returns the user. */
  public String user() {
    return last.user();
  }

  /** Merges what is kept of two sets of records of one user. */
  public static final class Merge implements ReduceFunction<NewestRecords> {
    @Override
    public NewestRecords reduce(NewestRecords a, NewestRecords b) {
      LocatedRecord fix = a.fix;
      if (fix == null || (b.fix != null && isNewer(b.fix, fix))) {
        fix = b.fix;
      }
      return new NewestRecords(isNewer(b.last, a.last) ? b.last : a.last, fix);
    }

    private static boolean isNewer(LocatedRecord record, LocatedRecord other) {
      return LocatedRecordOrder.INSTANCE.compare(record, other) > 0;
    }
  }

  /** Returns the one or two records, whose upserts together write what is kept. */
  public static final class Split implements FlatMapFunction<NewestRecords, LocatedRecord> {
    @Override
    public void flatMap(NewestRecords newest, Collector<LocatedRecord> output) {
      output.collect(newest.last);
      if (newest.fix != null && !newest.fix.equals(newest.last)) {
        output.collect(newest.fix);
      }
    }
  }

  /** Layout of version 1: located record, 1 byte 1 and located record, or 1 byte 0. */
  static final class Serializer extends VersionedSerializer<NewestRecords> {
    private static final int VERSION = 1;

    private final LocatedRecordSerializer records = new LocatedRecordSerializer();

    Serializer() {
      super(VERSION, Snapshot::new);
    }

    @Override
    protected void write(NewestRecords newest, DataOutputView target) throws IOException {
      records.serialize(newest.last, target);
      target.writeBoolean(newest.fix != null);
      if (newest.fix != null) {
        records.serialize(newest.fix, target);
      }
    }

    @Override
    protected NewestRecords read(DataInputView source, int version) throws IOException {
      LocatedRecord last = records.deserialize(source);
      return new NewestRecords(last, source.readBoolean() ? records.deserialize(source) : null);
    }

    @Override
    public NewestRecords createInstance() {
      return of(records.createInstance());
    }
  }

  /** Flink instantiates it when it restores state; the rebuild has no savepoints. */
  public static final class Snapshot extends VersionedSnapshot<NewestRecords> {
    /** Called by Flink. */
    public Snapshot() {
      super(Serializer::new);
    }
  }
}
