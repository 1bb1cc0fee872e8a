package io.lastfix.store.connect;

import com.mongodb.MongoClientException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoWriteConcernException;
import java.util.Set;

/**
 * Decides which of MongoDB's errors are transient. All others fail the job: retrying a permanent
 * error would hide a bug for as long as the retries take.
 *
 * <p>Numbers and names are from the server's {@code src/mongo/base/error_codes.yml}. The list
 * combines three groups, each with its reason:
 *
 * <ul>
 *   <li>the drivers' list for retryable writes (retryable-writes specification)
 *   <li>other errors of the server's category RetriableError that a write or the creation of a
 *       collection can meet
 *   <li>other errors that end by themselves
 * </ul>
 *
 * <p>It leaves out on purpose:
 *
 * <ul>
 *   <li>transactions, snapshots and change streams, which the sinks do not use: 234
 *       RetryChangeStream, 246 SnapshotUnavailable, 250 StaleChunkHistory, 251 NoSuchTransaction,
 *       272 MigrationConflict, 290 TransactionExceededLifetimeLimitSeconds, 358
 *       InternalTransactionNotSupported
 *   <li>errors that the server never sends to a client: 191 OBSOLETE_BalancerLostDistributedLock,
 *       317 ConnectionPoolExpired, 384 ConnectionError
 *   <li>errors that last until an operator acts: 264 TooManyFilesOpen, 371 UserWritesBlocked, 14031
 *       OutOfDiskSpace
 * </ul>
 */
public final class WriteErrorClassifier {
  /** A unique index already contains the key: {@code DuplicateKey}. */
  public static final int DUPLICATE_KEY = 11_000;

  private static final Set<Integer> TRANSIENT =
      Set.of(
          // The drivers' list for retryable writes, which the sinks disable, and 90. Reasons: no
          // primary at present, a node that shuts down, a lost connection. A router reports each
          // separately, for each write that the shard has not answered.
          6, // HostUnreachable
          7, // HostNotFound
          89, // NetworkTimeout
          90, // CallbackCanceled: a router that shuts down cancels its pending requests
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
          134, // ReadConcernMajorityNotAvailableYet: a replica set that has just started
          402, // ResourceExhausted
          407, // PooledConnectionAcquisitionExceededTimeLimit: a router short of connections
          453, // InterruptedDueToReshardingCriticalSection
          462, // IngressRequestRateLimitExceeded
          91_331, // RetriableRemoteCommandFailure: how a router reports a shard's transient error
          10_045_600, // InterruptedDueToFCVChange: an upgrade is in progress

          // An overloaded server, which rejects work until it has caught up.
          365, // TemporarilyUnavailable: cache pressure, from 6.0 on
          433, // AdmissionQueueOverflow
          449, // RateLimitExceeded
          450, // PooledConnectionAcquisitionRejected

          // Another operation holds what the write needs, or acquiring it took too long.
          24, // LockTimeout
          46, // LockBusy
          50, // MaxTimeMSExpired: a configured time limit, unrelated to the write itself
          112, // WriteConflict
          117, // ConflictingOperationInProgress: a chunk is moving
          202, // NetworkInterfaceExceededTimeLimit: a router's limit for a shard
          215, // DatabaseDropPending: a collection is created while its database is dropped
          319, // MovePrimaryInProgress: a collection is created while its database moves

          // A router whose view of the cluster is stale, or that cannot reach a shard.
          63, // StaleShardVersion, up to 5.0
          82, // NoProgressMade: its view of the chunks was stale too often
          83, // RemoteResultsUnavailable
          133, // FailedToSatisfyReadPreference: a shard without a primary
          150, // StaleEpoch
          249, // StaleDbVersion
          13_388 // StaleConfig
          );

  /** Write concerns that this cluster can never satisfy: a configuration error. */
  private static final Set<Integer> IMPOSSIBLE_WRITE_CONCERN =
      Set.of(
          79, // UnknownReplWriteConcern
          100 // UnsatisfiableWriteConcern
          );

  private WriteErrorClassifier() {}

  /** Returns true if a write or a whole command that failed with this code may succeed later. */
  public static boolean isTransient(int code) {
    return TRANSIENT.contains(code);
  }

  /**
   * Returns true if a later attempt may satisfy the write concern: the writes are stored, but not
   * yet on enough members.
   */
  public static boolean isWriteConcernTransient(int code) {
    return !IMPOSSIBLE_WRITE_CONCERN.contains(code);
  }

  /** Returns true if a command that failed as a whole may succeed later. */
  public static boolean isTransient(MongoException failure) {
    if (failure instanceof MongoSecurityException) {
      // The cause distinguishes a wrong password from a connection that broke during
      // authentication.
      return failure.getCause() instanceof MongoException cause && isTransient(cause);
    }
    if (failure instanceof MongoWriteConcernException) {
      // The collection or index exists, but not yet on enough members.
      return isWriteConcernTransient(failure.getCode());
    }
    return MongoAccessException.isLost(failure)
        || failure instanceof MongoInterruptedException
        || failure instanceof MongoExecutionTimeoutException
        || failure.hasErrorLabel("RetryableWriteError")
        || (!(failure instanceof MongoClientException) && isTransient(failure.getCode()));
  }
}
