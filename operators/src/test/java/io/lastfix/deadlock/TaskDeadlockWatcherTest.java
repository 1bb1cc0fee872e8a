package io.lastfix.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.flink.runtime.io.network.api.writer.ResultPartitionWriter;
import org.apache.flink.runtime.io.network.partition.consumer.InputGate;
import org.apache.flink.runtime.taskmanager.Task;
import org.apache.flink.util.SerializedThrowable;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which deadlocks the watcher reports, and how long it lives. */
class TaskDeadlockWatcherTest {
  private static final Duration INTERVAL = Duration.ofMillis(50);
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final long LIMIT_MILLIS = LIMIT.toMillis();

  /** Inspections after which a deadlock would have been reported. */
  private static final int MANY = 6;

  private final Job job = new Job();
  private final List<String> reports = new CopyOnWriteArrayList<>();
  private final List<Thread> started = new ArrayList<>();
  private final AtomicInteger inspections = new AtomicInteger();
  private final StringWriter log = new StringWriter();
  private final WriterAppender appender =
      WriterAppender.newBuilder().setName("captured").setTarget(log).build();

  @BeforeEach
  void captureTheLog() {
    appender.start();
    logger().addAppender(appender);
  }

  @AfterEach
  void endAllThatCanBeEnded() {
    logger().removeAppender(appender);
    job.release();
    started.forEach(Thread::interrupt);
  }

  private static Logger logger() {
    return (Logger) LogManager.getLogger(TaskDeadlockWatcher.class);
  }

  @Test
  void tasksThatSerializeEachOthersExceptionAreReportedWithTheirWholeStacks() throws Exception {
    deadlockTwoTasks();

    watch(ofThisTest()).join(LIMIT_MILLIS);

    assertThat(reports).singleElement().asString().contains("bin/taskmanager.sh start");
    assertThat(log.toString())
        .contains("are deadlocked")
        .containsSubsequence(
            "Throwable.writeObject(",
            "has locked java.lang.Exception@",
            SerializedThrowable.class.getName() + ".<init>(",
            Task.class.getName() + ".setupPartitionsAndGates(");
  }

  @Test
  void aDeadlockOfThreadsThatRunNoTaskIsNotReported() throws Exception {
    ExceptionDeadlock deadlock = new ExceptionDeadlock();
    start(() -> serialize(deadlock.exception(0)));
    start(() -> serialize(deadlock.exception(1)));
    awaitDeadlock();

    assertThatNothingIsReported(ofThisTest());
  }

  /** Of whatever job in a shared cluster. */
  @Test
  void aDeadlockOfTasksOnOtherMonitorsIsNotReported() throws Exception {
    Object one = new Object();
    Object other = new Object();
    CyclicBarrier bothHaveOne = new CyclicBarrier(2);
    startTask(() -> lockBoth(one, other, bothHaveOne));
    startTask(() -> lockBoth(other, one, bothHaveOne));
    awaitDeadlock();

    assertThatNothingIsReported(ofThisTest());
  }

  /** It may end by itself, if the threads are interrupted or give up. */
  @Test
  void aDeadlockOnLocksThatAreNoMonitorsIsNotReported() throws Exception {
    ReentrantLock one = new ReentrantLock();
    ReentrantLock other = new ReentrantLock();
    CyclicBarrier bothHaveOne = new CyclicBarrier(2);
    startTask(() -> serialize(new Locking(one, other, bothHaveOne)));
    startTask(() -> serialize(new Locking(other, one, bothHaveOne)));
    await().atMost(LIMIT).until(() -> one.hasQueuedThreads() && other.hasQueuedThreads());
    assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads())
        .contains(started.get(0).getId(), started.get(1).getId());

    assertThatNothingIsReported(ofThisTest());
  }

  @Test
  void aDeadlockThatTheNextInspectionDoesNotFindIsNotReported() throws Exception {
    deadlockTwoTasks();

    assertThatNothingIsReported(
        with("findMonitorDeadlockedThreads", found -> inspections.get() % 2 == 0 ? null : found));
  }

  @Test
  void anErrorOfAnInspectionIsLoggedOnceAndTheNextOnesContinue() throws Exception {
    deadlockTwoTasks();

    watch(
            with(
                "findMonitorDeadlockedThreads",
                found -> {
                  if (inspections.get() <= 2) {
                    throw new OutOfMemoryError("on purpose");
                  }
                  return found;
                }))
        .join(LIMIT_MILLIS);

    assertThat(reports).hasSize(1);
    assertThat(log.toString()).containsOnlyOnce("An inspection for deadlocked tasks failed");
  }

  @Test
  void theTaskManagerEndsAlsoIfTheDeadlockCannotBeDescribed() throws Exception {
    deadlockTwoTasks();

    watch(
        with(
            "findMonitorDeadlockedThreads",
            found -> {
              // The third is for the description.
              if (inspections.get() == 3) {
                throw new OutOfMemoryError("on purpose");
              }
              return found;
            }));

    await().atMost(LIMIT).until(() -> !reports.isEmpty());
  }

  @Test
  void betweenTwoInspectionsIsAnInterval() {
    List<Long> times = new CopyOnWriteArrayList<>();
    Thread unused =
        watch(
            with(
                "findMonitorDeadlockedThreads",
                found -> {
                  times.add(System.nanoTime());
                  return null;
                }));

    await().atMost(LIMIT).until(() -> times.size() >= MANY);
    for (int i = 1; i < MANY; i++) {
      assertThat(Duration.ofNanos(times.get(i) - times.get(i - 1)))
          // Sleeping and this clock may differ by their resolutions.
          .isGreaterThan(INTERVAL.minusMillis(5));
    }
  }

  @Test
  void aJobHasOneWatcherUntilItLeavesTheTaskManager() throws Exception {
    Job another = new Job();
    Thread watcher = watch(ofThisTest());

    assertThat(watch(ofThisTest())).isSameAs(watcher);
    Thread anothers =
        TaskDeadlockWatcher.watch(another, ofThisTest(), INTERVAL, (message, cause) -> {});
    assertThat(anothers).isNotSameAs(watcher);

    job.release();
    watcher.join(LIMIT_MILLIS);
    assertThat(watcher.isAlive()).isFalse();
    assertThat(anothers.isAlive()).isTrue();
    another.release();
    anothers.join(LIMIT_MILLIS);
    assertThat(anothers.isAlive()).isFalse();

    Thread again = watch(ofThisTest());
    assertThat(again).isNotSameAs(watcher);
    assertThat(again.isAlive()).isTrue();
  }

  @Test
  void theNamesByWhichTheDeadlockIsRecognizedAreFlinks() throws Exception {
    assertThat(TaskDeadlockWatcher.TASK_CLASS).isEqualTo(Task.class.getName());
    assertThat(Task.class.getDeclaredMethod(TaskDeadlockWatcher.FINAL_STATE_METHOD)).isNotNull();
    assertThat(TaskDeadlockWatcher.SERIALIZED_CLASS).isEqualTo(SerializedThrowable.class.getName());
  }

  /** As FLINK-36746 does: each serializes an exception that refers to the other's. */
  private void deadlockTwoTasks() throws Exception {
    ExceptionDeadlock deadlock = new ExceptionDeadlock();
    startTask(() -> serialize(deadlock.exception(0)));
    startTask(() -> serialize(deadlock.exception(1)));
    awaitDeadlock();
  }

  private void assertThatNothingIsReported(ThreadMXBean threads) {
    Thread watcher = watch(threads);
    await().atMost(LIMIT).until(() -> inspections.get() >= MANY);
    assertThat(watcher.isAlive()).isTrue();
    assertThat(reports).isEmpty();
  }

  private Thread watch(ThreadMXBean threads) {
    return TaskDeadlockWatcher.watch(
        job, threads, INTERVAL, (message, cause) -> reports.add(message));
  }

  private void awaitDeadlock() {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                started(ManagementFactory.getThreadMXBean().findMonitorDeadlockedThreads())
                    != null);
  }

  private ThreadMXBean ofThisTest() {
    return with("findMonitorDeadlockedThreads", found -> found);
  }

  /**
   * The JVM's threads without those that another test has deadlocked.
   *
   * @param found makes another answer of the ids that were found
   */
  private ThreadMXBean with(String method, Answer found) {
    ThreadMXBean all = ManagementFactory.getThreadMXBean();
    return (ThreadMXBean)
        Proxy.newProxyInstance(
            ThreadMXBean.class.getClassLoader(),
            new Class<?>[] {ThreadMXBean.class},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                inspections.incrementAndGet();
                return found.of(started(all.findMonitorDeadlockedThreads()));
              }
              try {
                return called.invoke(all, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private long[] started(long[] ids) {
    if (ids == null) {
      return null;
    }
    long[] ours =
        Arrays.stream(ids)
            .filter(id -> started.stream().anyMatch(thread -> thread.getId() == id))
            .toArray();
    return ours.length == 0 ? null : ours;
  }

  /** Runs a step below a frame of Flink's {@link Task}. */
  private void startTask(Step step) {
    ResultPartitionWriter partition =
        (ResultPartitionWriter)
            Proxy.newProxyInstance(
                ResultPartitionWriter.class.getClassLoader(),
                new Class<?>[] {ResultPartitionWriter.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("setup")) {
                    step.run();
                  }
                  return null;
                });
    start(
        () ->
            Task.setupPartitionsAndGates(
                new ResultPartitionWriter[] {partition}, new InputGate[0]));
  }

  /** A daemon, since a deadlock on monitors lasts as long as the JVM. */
  private void start(Step step) {
    Thread thread =
        new Thread(
            () -> {
              try {
                step.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    started.add(thread);
  }

  private static void serialize(Exception exception) {
    assertThat(new SerializedThrowable(exception)).isNotNull();
  }

  private static void lockBoth(Object one, Object other, CyclicBarrier bothHaveOne)
      throws Exception {
    synchronized (one) {
      bothHaveOne.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
      synchronized (other) {
        assertThat(one).isNotSameAs(other);
      }
    }
  }

  /** What a thread does. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  /** Makes another answer of the deadlocked threads. */
  @FunctionalInterface
  private interface Answer {
    long[] of(long[] found);
  }

  /** Takes two locks while it is serialized. */
  private static final class Locking extends Exception {
    private static final long serialVersionUID = 1;

    private final transient ReentrantLock one;
    private final transient ReentrantLock other;
    private final transient CyclicBarrier bothHaveOne;

    Locking(ReentrantLock one, ReentrantLock other, CyclicBarrier bothHaveOne) {
      this.one = one;
      this.other = other;
      this.bothHaveOne = bothHaveOne;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      try {
        one.lockInterruptibly();
        try {
          bothHaveOne.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
          other.lockInterruptibly();
          other.unlock();
        } finally {
          one.unlock();
        }
      } catch (Exception e) {
        throw new IOException(e);
      }
      out.defaultWriteObject();
    }
  }

  /** A job's class loader on a TaskManager. */
  private static final class Job implements UserCodeClassLoader {
    private final Map<String, Runnable> hooks = new HashMap<>();

    @Override
    public ClassLoader asClassLoader() {
      return TaskDeadlockWatcherTest.class.getClassLoader();
    }

    @Override
    public void registerReleaseHookIfAbsent(String name, Runnable hook) {
      hooks.putIfAbsent(name, hook);
    }

    void release() {
      hooks.values().forEach(Runnable::run);
      hooks.clear();
    }
  }
}
