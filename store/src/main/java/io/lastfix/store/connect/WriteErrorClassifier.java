package io.lastfix.store.connect;

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
 * <p>Numbers and names are those of the server's {@code src/mongo/base/error_codes.yml}. The list
 * is our own: the drivers' list for retryable writes (retryable-writes specification), the rest of
 * the server's category RetriableError that a write or the making of a collection can meet, and
 * what else ends by itself, each with its reason. Left out on purpose:
 *
 * <ul>
 *   <li>transactions, snapshots and change streams, which the sinks don't use: 234
 *       RetryChangeStream, 246 SnapshotUnavailable, 250 StaleChunkHistory, 251 NoSuchTransaction,
 *       272 MigrationConflict, 290 TransactionExceededLifetimeLimitSeconds, 358
 *       InternalTransactionNotSupported
 *   <li>what no client is ever sent: 191 OBSOLETE_BalancerLostDistributedLock, 317
 *       ConnectionPoolExpired, 384 ConnectionError
 *   <li>what lasts until a person acts: 264 TooManyFilesOpen, 371 UserWritesBlocked, 14031
 *       OutOfDiskSpace
 * </ul>
 */
public final class WriteErrorClassifier {
  /** A unique index has the key: {@code DuplicateKey}. */
  public static final int DUPLICATE_KEY = 11_000;

  private static final Set<Integer> TRANSIENT =
      Set.of(
          // The drivers' list for retryable writes, which the sinks do without, and 90: no primary
          // for now, a node going down, a lost connection. A router sends each by itself, for each
          // write that the shard has not answered.
          6, // HostUnreachable
          7, // HostNotFound
          89, // NetworkTimeout
          90, // CallbackCanceled: a router that shuts down lets go of what it waits for
          91, // ShutdownInProgress
          189, // PrimarySteppedDown
          262, // ExceededTimeLimit
          9_001, // SocketException
          10_107, // NotWritablePrimary
          11_600, // InterruptedAtShutdown
          11_602, // InterruptedDueToReplStateChange
          13_435, // NotPrimaryNoSecondaryOk
          13_436, // NotPrimaryOrSecondary

          // Others in the server's category RetriableError.
          134, // ReadConcernMajorityNotAvailableYet: a replica set that has just come up
          402, // ResourceExhausted
          407, // PooledConnectionAcquisitionExceededTimeLimit: a router short of connections
          453, // InterruptedDueToReshardingCriticalSection
          462, // IngressRequestRateLimitExceeded
          91_331, // RetriableRemoteCommandFailure: a router's word for a shard's transient error
          10_045_600, // InterruptedDueToFCVChange: an upgrade under way

          // A server under pressure, which refuses work until it has caught up.
          365, // TemporarilyUnavailable: cache pressure, from 6.0 on
          433, // AdmissionQueueOverflow
          449, // RateLimitExceeded
          450, // PooledConnectionAcquisitionRejected

          // Somebody else holds what the write needs, or it took too long to get it.
          24, // LockTimeout
          46, // LockBusy
          50, // MaxTimeMSExpired: a limit somebody set; it bounds the time, and says nothing of the
          // write
          112, // WriteConflict
          117, // ConflictingOperationInProgress: a chunk on the move
          202, // NetworkInterfaceExceededTimeLimit: a router's limit for a shard
          215, // DatabaseDropPending: a collection made while its database is dropped
          319, // MovePrimaryInProgress: a collection made while its database moves to a new shard

          // A router whose view of the cluster is behind, or that cannot reach a shard.
          63, // StaleShardVersion, up to 5.0
          82, // NoProgressMade: its view of the chunks was stale too often
          83, // RemoteResultsUnavailable
          133, // FailedToSatisfyReadPreference: a shard without a primary
          150, // StaleEpoch
          249, // StaleDbVersion
          13_388 // StaleConfig
          );

  /** A write concern that this cluster can never meet: a wrong setting. */
  private static final Set<Integer> IMPOSSIBLE_WRITE_CONCERN =
      Set.of(
          79, // UnknownReplWriteConcern
          100 // UnsatisfiableWriteConcern
          );

  private WriteErrorClassifier() {}

  /** Whether one write, or a whole command, that failed with that number may go through later. */
  public static boolean isTransient(int code) {
    return TRANSIENT.contains(code);
  }

  /**
   * Whether the write concern may be met by a later attempt: the writes are there, but not yet on
   * as many members as asked for.
   */
  public static boolean isWriteConcernTransient(int code) {
    return !IMPOSSIBLE_WRITE_CONCERN.contains(code);
  }

  /** Whether a command that failed as a whole may go through later. */
  public static boolean isTransient(MongoException failure) {
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
