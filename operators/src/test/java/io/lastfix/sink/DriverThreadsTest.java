package io.lastfix.sink;

import static org.awaitility.Awaitility.await;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriverThreadsTest {
  /** The driver's name for the thread. */
  private static final String PRUNER = "BufferPoolPruner";

  @Test
  void theDriversOwnThreadEndsWithTheJobsClassLoader() throws Exception {
    URL[] classPath = classPath();
    try (URLClassLoader job = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
      var pool = initialized("com.mongodb.internal.connection.PowerOfTwoBufferPool", job);
      await("the thread whose end is tested").until(() -> !prunersOf(pool).isEmpty());

      var end = initialized(DriverThreads.class.getName(), job).getDeclaredMethod("end");
      end.setAccessible(true);
      end.invoke(null);

      await("its end").until(() -> prunersOf(pool).isEmpty());
    }
  }

  /** Loads the class with the class loader by which its threads are recognised. */
  private static Class<?> initialized(String name, ClassLoader job) throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(job);
    try {
      return Class.forName(name, true, job);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(":", -1))
        .map(DriverThreadsTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException("class path entry " + entry, e);
    }
  }

  /** Drivers of other tests have threads too, of other class loaders. */
  private static List<Thread> prunersOf(Class<?> pool) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(PRUNER))
        .filter(thread -> thread.getContextClassLoader() == pool.getClassLoader())
        .toList();
  }
}
