package io.lastfix.rebuild;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.serialization.RecordTypes;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
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
      Types.POJO(
          NewestRecords.class,
          Map.of("last", RecordTypes.LOCATED_RECORD, "fix", RecordTypes.LOCATED_RECORD));

  /** Returns what is kept of a single record. */
  public static NewestRecords of(LocatedRecord record) {
    return new NewestRecords(record, record.hasOwnPosition() ? record : null);
  }

  /** Returns the user. */
  public String user() {
    return last.user();
  }

  /** Merges what is kept of two sets of records of one user. */
  public NewestRecords merge(NewestRecords other) {
    LocatedRecord newestFix = fix;
    if (newestFix == null || (other.fix != null && isNewer(other.fix, newestFix))) {
      newestFix = other.fix;
    }
    return new NewestRecords(isNewer(other.last, last) ? other.last : last, newestFix);
  }

  private static boolean isNewer(LocatedRecord record, LocatedRecord other) {
    return LocatedRecordOrder.INSTANCE.compare(record, other) > 0;
  }

  /** Puts out the one or two records, whose upserts together write what is kept. */
  public void split(Collector<LocatedRecord> output) {
    output.collect(last);
    if (fix != null && !fix.equals(last)) {
      output.collect(fix);
    }
  }
}
