package io.lastfix.serialization;

import io.lastfix.model.CellEntry;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * The type information of the values that cross the network between tasks. The model module does
 * not depend on Flink, so each operator that produces such a value names its type here. Otherwise
 * Flink would fall back to Kryo, which our jobs forbid.
 */
public final class RecordTypes {
  /** Parsed records, before the join. */
  public static final TypeInformation<LocationRecord> LOCATION_RECORD =
      new VersionedTypeInformation<>(LocationRecord.class, new LocationRecordSerializer());

  /** Records after the join. */
  public static final TypeInformation<LocatedRecord> LOCATED_RECORD =
      new VersionedTypeInformation<>(LocatedRecord.class, new LocatedRecordSerializer());

  /** Entries of the catalogue. */
  public static final TypeInformation<CellEntry> CELL_ENTRY =
      new VersionedTypeInformation<>(CellEntry.class, new CellEntrySerializer());

  private RecordTypes() {}
}
