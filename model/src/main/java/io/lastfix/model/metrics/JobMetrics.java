package io.lastfix.model.metrics;

/**
 * The names under which the jobs' operators and metrics are read from Flink. The class that
 * registers a metric says what it counts.
 */
public final class JobMetrics {
  /** The operator that parses messages. */
  public static final String PARSE = "parse";

  public static final String RECORDS = "records";
  public static final String NOT_RECORDS = "notRecords";

  /** The group of the counters by reason; in the ledger a gauge. */
  public static final String REJECTED = "rejected";

  /** The join with the catalogue, and its group. */
  public static final String LOCATE = "locate";

  /** Records that wait for their cell; also in the ledger. */
  public static final String WAITING = "waiting";

  public static final String WAITING_AS_OF = "waitingAsOf";

  /** A group of the join. */
  public static final String UNLOCATED = "unlocated";

  public static final String AMBIGUOUS = "ambiguous";
  public static final String WAIT_EXPIRED = "waitExpired";
  public static final String WAIT_FULL = "waitFull";

  /** The sink of History. */
  public static final String HISTORY = "history";

  /** The sink of Last Known Location. */
  public static final String LAST_KNOWN_LOCATION = "last known location";

  public static final String INSERTED = "inserted";

  /** Also in the ledger. */
  public static final String DUPLICATES = "duplicates";

  public static final String DUPLICATES_AFTER_RETRY = "duplicatesAfterRetry";
  public static final String END_TO_END_LATENCY = "endToEndLatencyMillis";
  public static final String RECORDS_FORGOTTEN = "recordsForgotten";

  /** The version of the erasure list that a subtask uses. */
  public static final String FORGOTTEN_VERSION = "forgottenVersion";

  /** The operator of the ledger, its vertex and its group. */
  public static final String LEDGER = "ledger";

  public static final String CHECKPOINT = "checkpoint";
  public static final String IN = "in";
  public static final String STORED = "stored";
  public static final String ERASED = "erased";
  public static final String UNACCOUNTED = "unaccounted";

  /** The source of the jobs on located records. */
  public static final String READ_LOCATED = "read located";

  /** The group of that source. */
  public static final String LOCATED = "located";

  public static final String RECORDS_LOST = "recordsLost";

  /** The analytics job's operator that decides which records are too late. */
  public static final String DISTINCT = "distinct";

  private JobMetrics() {}
}
