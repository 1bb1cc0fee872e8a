package io.lastfix.sink;

import com.mongodb.internal.connection.PowerOfTwoBufferPool;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.util.UserCodeClassLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the thread that MongoDB's driver (5.6) starts with its first client and never ends. It
 * prunes a buffer pool that all clients share, and holds the driver's class loader, which on a
 * TaskManager belongs to the job. Without this, each submitted or restarted job would leave all of
 * its classes in memory, until the TaskManager has no room for more (<a
 * href="https://github.com/mongodb/mongo-java-driver/issues/2029">mongo-java-driver 2029</a>).
 */
public final class DriverThreads {
  private static final Logger LOG = LoggerFactory.getLogger(DriverThreads.class);
  private static final String HOOK = "lastfix-mongodb-driver-threads";

  private DriverThreads() {}

  /** Ends the threads when the last task of the job on this TaskManager has ended. */
  public static void endWith(UserCodeClassLoader job) {
    job.registerReleaseHookIfAbsent(HOOK, DriverThreads::end);
  }

  /** Ends the threads likewise, for an operator's runtime context. */
  static void endWith(RuntimeContext job) {
    job.registerUserCodeClassLoaderReleaseHookIfAbsent(HOOK, DriverThreads::end);
  }

  /** Call it when no client exists any more. */
  static void end() {
    try {
      Method disablePruning = PowerOfTwoBufferPool.class.getDeclaredMethod("disablePruning");
      disablePruning.setAccessible(true);
      disablePruning.invoke(PowerOfTwoBufferPool.DEFAULT);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      LOG.warn(
          "A thread of MongoDB's driver cannot be stopped and keeps this job's classes in"
              + " memory; restart the TaskManager after a few more jobs",
          e);
    }
  }
}
