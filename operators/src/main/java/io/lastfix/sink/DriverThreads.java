package io.lastfix.sink;

import com.mongodb.internal.connection.PowerOfTwoBufferPool;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.util.UserCodeClassLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the thread that MongoDB's driver (5.6) begins with its first client and never ends: it
 * prunes a pool of buffers that all clients share. It holds the driver's class loader, which on a
 * TaskManager is a job's own; so each job that is submitted, and each that fails as a whole and is
 * started again, would leave all of its classes behind, until the TaskManager has no room for more
 * (<a href="https://github.com/mongodb/mongo-java-driver/issues/2029">mongo-java-driver 2029</a>).
 */
public final class DriverThreads {
  private static final Logger LOG = LoggerFactory.getLogger(DriverThreads.class);
  private static final String HOOK = "lastfix-mongodb-driver-threads";

  private DriverThreads() {}

  /** Has them end when the last task of the job on this TaskManager is over. */
  public static void endWith(UserCodeClassLoader job) {
    job.registerReleaseHookIfAbsent(HOOK, DriverThreads::end);
  }

  /** The same, as an operator has it. */
  static void endWith(RuntimeContext job) {
    job.registerUserCodeClassLoaderReleaseHookIfAbsent(HOOK, DriverThreads::end);
  }

  /** To be called when there is no client any more. */
  static void end() {
    try {
      Method disablePruning = PowerOfTwoBufferPool.class.getDeclaredMethod("disablePruning");
      disablePruning.setAccessible(true);
      disablePruning.invoke(PowerOfTwoBufferPool.DEFAULT);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      LOG.warn(
          "A thread of MongoDB's driver cannot be ended, and keeps this job's classes in memory;"
              + " restart the TaskManager after some more jobs",
          e);
    }
  }
}
