package io.lastfix.sink;

import com.mongodb.MongoClientException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import java.util.Set;

/**
 * Which of MongoDB's errors may go away by themselves. All others fail the job: a wrong guess the
 * other way would hide a bug for as long as a retry may take.
 *
 * <p>The numbers are those of the server's {@code src/mongo/base/error_codes.yml}; the list is its
 * category RetriableError, which is the drivers' list for retryable writes, and what a router
 * answers for a shard it could not reach or agree with.
 */
final class WriteErrorClassifier {
  /** A unique index has the key: {@code DuplicateKey}. */
  static final int DUPLICATE_KEY = 11_000;

  private static final Set<Integer> TRANSIENT =
      Set.of(
          6, // HostUnreachable
          7, // HostNotFound
          24, // LockTimeout
          46, // LockBusy
          50, // MaxTimeMSExpired
          63, // StaleShardVersion, up to 5.0
          82, // NoProgressMade: a router whose view of the chunks was stale too often
          83, // RemoteResultsUnavailable
          89, // NetworkTimeout
          91, // ShutdownInProgress
          112, // WriteConflict
          117, // ConflictingOperationInProgress: a chunk on the move
          133, // FailedToSatisfyReadPreference: a shard without a primary
          134, // ReadConcernMajorityNotAvailableYet
          150, // StaleEpoch
          189, // PrimarySteppedDown
          202, // NetworkInterfaceExceededTimeLimit
          249, // StaleDbVersion
          262, // ExceededTimeLimit
          9_001, // SocketException
          10_107, // NotWritablePrimary
          11_600, // InterruptedAtShutdown
          11_602, // InterruptedDueToReplStateChange
          13_388, // StaleConfig
          13_435, // NotPrimaryNoSecondaryOk
          13_436 // NotPrimaryOrSecondary
          );

  /** A write concern that this cluster can never meet: a wrong setting. */
  private static final Set<Integer> IMPOSSIBLE_WRITE_CONCERN =
      Set.of(
          79, // UnknownReplWriteConcern
          100 // UnsatisfiableWriteConcern
          );

  private WriteErrorClassifier() {}

  /** Whether one write, or a whole command, that failed with that number may go through later. */
  static boolean isTransient(int code) {
    return TRANSIENT.contains(code);
  }

  /**
   * Whether the write concern may be met by a later attempt: the writes are there, but not yet on
   * as many members as asked for.
   */
  static boolean isWriteConcernTransient(int code) {
    return !IMPOSSIBLE_WRITE_CONCERN.contains(code);
  }

  /** Whether a command that failed as a whole may go through later. */
  static boolean isTransient(MongoException failure) {
    if (failure instanceof MongoSecurityException) {
      // Its cause says whether the password is wrong or the connection broke while it was checked.
      return failure.getCause() instanceof MongoException cause && isTransient(cause);
    }
    if (failure instanceof MongoWriteConcernException) {
      // A collection or an index that was made, but not yet on enough members.
      return isWriteConcernTransient(failure.getCode());
    }
    return failure instanceof MongoSocketException
        || failure instanceof MongoTimeoutException
        || failure instanceof MongoServerUnavailableException
        || failure instanceof MongoConnectionPoolClearedException
        || failure instanceof MongoInterruptedException
        || failure instanceof MongoNotPrimaryException
        || failure instanceof MongoNodeIsRecoveringException
        || failure instanceof MongoExecutionTimeoutException
        || failure.hasErrorLabel("RetryableWriteError")
        || (!(failure instanceof MongoClientException) && isTransient(failure.getCode()));
  }
}
