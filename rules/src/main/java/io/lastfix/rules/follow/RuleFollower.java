package io.lastfix.rules.follow;

import io.lastfix.expressions.Statement;
import io.lastfix.expressions.generate.StatementCompiler;
import io.lastfix.kit.failure.RootCause;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.TopicFollower;
import io.lastfix.kit.kafka.UnreadableMessageException;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleCodec;
import io.lastfix.rules.topic.RuleFormatException;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.StoredMessage;
import java.io.Serializable;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows {@code lastfix.rules} for all subtasks of a job in a JVM, which share it: 16 subtasks do
 * not read, compile and keep all rules 16 times. It ends with the last subscription.
 *
 * <p>It compiles the rules on its thread, and gives them to each subtask. Another thread then
 * generates code of their conditions, which may take seconds if there are many: neither a start nor
 * the next change waits for it. A subtask acknowledges what it applies, which goes to {@code
 * lastfix.rules.applied}.
 *
 * <p>A message that cannot be read is logged with its place; of it only the version counts. If the
 * topic was deleted and created again, or the rules cannot be compiled, the follower ends for good:
 * the job fails, and begins with the topic as it is then. While Kafka does not answer, the former
 * rules count, and the follower tries again.
 *
 * <p>Once a rule is about a group, it also follows {@code lastfix.devices}: it gives the rule to
 * the subtasks when it has read the groups that devices have then. Later changes count at once.
 * Without that topic no device is registered, so the rule is about none until there is one. If the
 * job may not read it, the rules about groups are paused, with that as the reason. Once one is put
 * again, the follower tries it again.
 */
public final class RuleFollower {
  private static final Logger LOG = LoggerFactory.getLogger(RuleFollower.class);

  private static final TopicFollower.Texts TEXTS =
      new TopicFollower.Texts(
          "create it with lastfix rule put",
          "changed rules are not heard of",
          "",
          "their messages are skipped, because rules need the order of one");

  private static final TopicFollower.Texts TEXTS_OF_DEVICES =
      new TopicFollower.Texts(
          "create it with lastfix group create",
          "rules about groups do not hear of changed devices",
          "",
          "they are read, too");

  /** How many rules and fences of one change are named in the log, or conditions without code. */
  static final int MOST_LINES = 20;

  /** How long a topic of devices that does not exist is waited for. */
  private static final Duration ABSENCE_LIMIT = Duration.ofSeconds(3);

  /** Who pauses rules. */
  private static final String BY = "job";

  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(10);
  private static final Duration DELIVERY_LIMIT = Duration.ofSeconds(30);
  private static final Duration BLOCK_LIMIT = Duration.ofSeconds(5);

  /** How long the end waits for code that is generated. */
  private static final Duration CODE_LIMIT = Duration.ofSeconds(10);

  /** An entry ends with its last subscription, so no thread keeps the job's classes. */
  private static final SharedFollowers SHARED = new SharedFollowers(RuleFollower::connect);

  private final Options options;
  private final TopicFollower topic;
  private final Acknowledgements acknowledgements;
  private final List<OfSubtask> subscriptions = new CopyOnWriteArrayList<>();
  private final Supplier<TopicFollower> devices;
  private final ExecutorService generator;

  /** Of the thread of {@link #generator}. */
  private final StatementCompiler compiler = new StatementCompiler();

  private volatile State state;
  private volatile @Nullable Throwable failure;

  /** Follows the devices; null if no rule was about a group. */
  private volatile @Nullable TopicFollower followedDevices;

  private volatile boolean isClosed;

  /** How the users of records that are devices are named. Equal ones name them in the same way. */
  public interface DeviceNames extends Serializable {
    /**
     * Returns the user of a device's records.
     *
     * @param device as {@code lastfix.devices} names it
     */
    String storedAs(String device);
  }

  /**
   * What to follow.
   *
   * @param topic of rules and fences
   * @param appliedTopic of acknowledgements
   * @param devicesTopic of groups and devices
   * @param names of devices
   * @param clientProperties of Kafka clients; may have secrets, so {@link #toString()} names none
   * @param startTimeout the longest time without a message while the topic is read at the start
   */
  public record Options(
      String topic,
      String appliedTopic,
      String devicesTopic,
      DeviceNames names,
      Properties clientProperties,
      Duration startTimeout)
      implements Serializable {
    @Override
    public String toString() {
      return "Options[%s, %s, %s, %s]".formatted(topic, appliedTopic, devicesTopic, startTimeout);
    }
  }

  /** Hears of changes, on the follower's thread, so it must not block. */
  public interface Listener {
    /**
     * The rules have changed, or only the offset. May be called before {@link Opener#open} returns.
     *
     * @param rules the newest
     * @param offset after the last message that they contain
     */
    void changed(RuleSet rules, long offset);

    /** The follower has ended for good. */
    void failed(Throwable cause);
  }

  /** Opens a subscription; travels with the job. */
  public interface Opener extends Serializable {
    /**
     * Waits until the rules that the topic has now are read.
     *
     * @param jobId Flink's id of the job
     * @param subtask its index, from 0
     * @param of the number of subtasks
     * @param attempt of the subtask, from 0
     * @throws IllegalStateException if they cannot be read; names the topic
     * @throws Exception if another thread interrupts the wait
     */
    Subscription open(String jobId, int subtask, int of, int attempt, Listener listener)
        throws Exception;
  }

  /** The rules for one subtask. */
  public interface Subscription extends AutoCloseable {
    /** Returns the newest rules. */
    RuleSet rules();

    /**
     * Returns the offset after the last message that the newest rules contain. Call it before
     * {@link #rules()}, which then contain at least that.
     */
    long offset();

    /** Acknowledges that the subtask applies all messages before an offset; does not wait. */
    void applied(long offset);

    /** Pauses a version of a rule for all jobs; does not wait. */
    void pause(RuleMessage.OfPause pause);

    @Override
    void close();
  }

  /** The rules, and the offset after the last message that they contain. */
  private record State(RuleSet rules, long offset) {}

  /** Returns what opens subscriptions to a topic. */
  public static Opener opener(Options options) {
    return (jobId, subtask, of, attempt, listener) ->
        open(options, jobId, subtask, of, attempt, listener);
  }

  /**
   * Opens a subscription to a topic, as {@link Opener#open}.
   *
   * @param options the same for all subtasks of a job
   */
  public static Subscription open(
      Options options, String jobId, int subtask, int of, int attempt, Listener listener)
      throws Exception {
    return SHARED.open(options, jobId, subtask, of, attempt, listener);
  }

  private static RuleFollower connect(Options options, String jobId) {
    Map<String, Object> consumer = clientProperties(options, jobId);
    Map<String, Object> producer = clientProperties(options, jobId);
    producer.put(ProducerConfig.ACKS_CONFIG, "all");
    producer.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) REQUEST_LIMIT.toMillis());
    producer.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) DELIVERY_LIMIT.toMillis());
    producer.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_LIMIT.toMillis());
    Acknowledgements acknowledgements =
        new Acknowledgements(
            options,
            jobId,
            new KafkaProducer<>(producer, new ByteArraySerializer(), new ByteArraySerializer()),
            InstantSource.system(),
            System::nanoTime);
    return new RuleFollower(
        options,
        jobId,
        () -> TopicFollower.consumer(consumer),
        () -> TopicFollower.consumer(consumer),
        acknowledgements,
        System::nanoTime);
  }

  private static Map<String, Object> clientProperties(Options options, String jobId) {
    Map<String, Object> all = new HashMap<>();
    options.clientProperties().forEach((key, value) -> all.put(String.valueOf(key), value));
    all.put(CommonClientConfigs.CLIENT_ID_CONFIG, "lastfix-rules-" + jobId);
    return all;
  }

  /**
   * Prepares to follow a topic.
   *
   * @param consumers as of {@link TopicFollower}
   * @param consumersOfDevices likewise
   * @param nanoTime as {@link System#nanoTime}
   */
  RuleFollower(
      Options options,
      String jobId,
      Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumers,
      Supplier<Consumer<byte @Nullable [], byte @Nullable []>> consumersOfDevices,
      Acknowledgements acknowledgements,
      LongSupplier nanoTime) {
    this.options = options;
    this.acknowledgements = acknowledgements;
    topic =
        new TopicFollower(
            options.topic(),
            "lastfix-rules-follower-" + jobId,
            TEXTS,
            consumers,
            new Messages(),
            nanoTime);
    generator =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "lastfix-rules-code-" + jobId);
              thread.setDaemon(true);
              return thread;
            });
    DeviceGroups groups = new DeviceGroups(options.names());
    state = new State(RuleSet.empty(groups), 0);
    devices =
        () ->
            new TopicFollower(
                options.devicesTopic(),
                "lastfix-rules-devices-" + jobId,
                TEXTS_OF_DEVICES,
                consumersOfDevices,
                groups,
                nanoTime);
  }

  RuleFollower start() {
    try {
      acknowledgements.start();
      var unused = topic.start();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
    return this;
  }

  boolean hasFailed() {
    return failure != null || topic.ready().isCompletedExceptionally();
  }

  /**
   * Adds a subscription.
   *
   * @param since the topic's messages up to this time are waited for, of {@code nanoTime}
   * @param ending called when the subscription is closed
   */
  Subscription subscribe(
      long since, int subtask, int of, int attempt, Listener listener, Runnable ending)
      throws InterruptedException {
    topic.awaitEndSince(since, options.startTimeout());
    OfSubtask added = new OfSubtask(acknowledgements.add(subtask, of, attempt), listener, ending);
    subscriptions.add(added);
    Throwable cause = failure;
    if (cause != null) {
      added.leave();
      throw new IllegalStateException(
          "The rules of topic %s cannot be applied: %s".formatted(options.topic(), cause), cause);
    }
    return added;
  }

  void close() {
    isClosed = true;
    // First: the other one may wait for it.
    closeDevices();
    topic.close();
    closeDevices();
    closeGenerator();
    acknowledgements.close();
  }

  /** The job's classes are closed after this. */
  private void closeGenerator() {
    generator.shutdownNow();
    try {
      var unused = generator.awaitTermination(CODE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeDevices() {
    TopicFollower followed = followedDevices;
    if (followed != null) {
      followed.close();
    }
  }

  /**
   * Follows the devices from now on, if rules need them, and waits until those that the topic has
   * are read. If the job may not read them, the rules about groups are paused: the others still
   * count. After another failure a restart may succeed, but a pause would stay.
   */
  private void followDevices(RuleSet rules) throws InterruptedException {
    TopicFollower before = followedDevices;
    boolean isFollowed = before != null && !before.ready().isCompletedExceptionally();
    if (!rules.namesGroups() || isFollowed) {
      return;
    }
    TopicFollower followed = devices.get();
    followedDevices = followed;
    if (isClosed) {
      return;
    }
    followed.start();
    try {
      awaitDevices(followed);
    } catch (IllegalStateException e) {
      Throwable cause = RootCause.of(e);
      if (isClosed || !(cause instanceof AuthorizationException)) {
        throw e;
      }
      String reason =
          "the job cannot read %s: %s"
              .formatted(options.devicesTopic(), KafkaFailure.explain(cause));
      LOG.warn("The job pauses the rules {}: {}", rules.aboutGroups().keySet(), reason);
      rules
          .aboutGroups()
          .forEach(
              (id, version) ->
                  acknowledgements.pause(new RuleMessage.OfPause(id, version, BY, reason)));
    }
  }

  /** The rules about others do not wait for a topic that does not exist. */
  private void awaitDevices(TopicFollower followed) throws InterruptedException {
    try {
      followed.awaitReady(ABSENCE_LIMIT);
    } catch (IllegalStateException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        followed.awaitReady(options.startTimeout());
      }
    }
  }

  private void generateCode(RuleSet rules) {
    if (isClosed || rules != state.rules()) {
      // Those that came since are next.
      return;
    }
    Map<Statement, String> problems;
    try {
      problems = compiler.update(rules.statements());
    } catch (RuntimeException | Error e) {
      // It must not end the job, which works without.
      LOG.warn("No code of the conditions, which is slower", e);
      return;
    }
    problems.entrySet().stream()
        .limit(MOST_LINES)
        .forEach(
            problem ->
                LOG.warn(
                    "No code of a condition of the rule {}, which is slower: {}",
                    rules.ruleWith(problem.getKey()),
                    problem.getValue()));
  }

  private void fail(Throwable cause) {
    LOG.warn("The rules of topic {} cannot be followed any more", options.topic(), cause);
    failure = cause;
    tell(listener -> listener.failed(cause));
  }

  private void tell(java.util.function.Consumer<Listener> news) {
    for (OfSubtask subscription : subscriptions) {
      try {
        news.accept(subscription.listener);
      } catch (RuntimeException e) {
        // The others must hear of it.
        LOG.warn("A subtask did not take a change of the rules", e);
      }
    }
  }

  /** Collects the messages, and compiles what they result in; on the follower's thread. */
  private final class Messages implements TopicFollower.Handler {
    /** What the rules of {@link #state} are compiled from. */
    private RuleBook book = RuleBook.EMPTY;

    /** The book with what came since. It keeps no message that counts no more. */
    private final RuleBook.Builder fresh = book.toBuilder();

    /** The keys of pauses that came since. */
    private final Set<String> pauses = new HashSet<>();

    /** After the last message. */
    private long offset;

    @Override
    public void message(ConsumerRecord<byte @Nullable [], byte @Nullable []> message)
        throws UnreadableMessageException {
      if (message.partition() != 0) {
        throw new UnreadableMessageException("rules need the order of one partition", null);
      }
      offset = message.offset() + 1;
      Optional<RuleMessage> read;
      try {
        read = RuleCodec.read(message.key(), message.value());
      } catch (RuleFormatException e) {
        throw new UnreadableMessageException(String.valueOf(e.getMessage()), e);
      }
      RuleMessage found = read.orElse(null);
      if (found != null) {
        fresh.add(new StoredMessage(message.offset(), found));
      }
      if (found instanceof RuleMessage.OfPause) {
        pauses.add(found.key());
      } else if (found instanceof RuleMessage.Unreadable unreadable) {
        // Its version counts. The log still has to name its place.
        throw new UnreadableMessageException(unreadable.words(), null);
      }
    }

    @Override
    public void caughtUp() {
      if (failure != null || offset == state.offset()) {
        return;
      }
      RuleBook newest = fresh.build();
      acknowledgements.read(newest);
      keepPauses(newest);
      RuleSet rules = state.rules();
      boolean isOther = !newest.equals(book);
      if (isOther) {
        try {
          rules = compiled(newest, rules);
          followDevices(rules);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        } catch (RuntimeException | Error e) {
          if (!isClosed) {
            fail(e);
          }
          return;
        }
        book = newest;
      }
      State changed = new State(rules, offset);
      state = changed;
      tell(listener -> listener.changed(changed.rules(), changed.offset()));
      if (isOther) {
        // Until it has code, CEL's runtime evaluates a condition.
        generator.execute(() -> generateCode(changed.rules()));
      }
    }

    /** Repeats the pauses that count, if a late one came after them: compaction keeps the last. */
    private void keepPauses(RuleBook newest) {
      for (String key : pauses) {
        if (newest.endangered(key).orElse(null) instanceof RuleMessage.OfPause pause) {
          acknowledgements.pause(pause);
        }
      }
      pauses.clear();
    }

    private static RuleSet compiled(RuleBook book, RuleSet before) {
      RuleSet rules = RuleSet.of(book, before);
      Set<String> known = new HashSet<>(before.unreadable());
      List<String> lines =
          rules.unreadable().stream().filter(line -> !known.contains(line)).toList();
      lines.stream().limit(MOST_LINES).forEach(line -> LOG.warn("Not applied: {}", line));
      if (lines.size() > MOST_LINES) {
        LOG.warn("Not applied: {} more rules and fences", lines.size() - MOST_LINES);
      }
      return rules;
    }

    @Override
    public void beginAgain(int partition) {
      if (partition == 0 && failure == null) {
        fail(
            new IllegalStateException(
                "The topic %s was deleted and created again, or has lost messages"
                    .formatted(options.topic())));
      }
    }
  }

  private final class OfSubtask implements Subscription {
    private final Acknowledgements.OfSubtask acknowledged;
    private final Listener listener;
    private final Runnable ending;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private OfSubtask(Acknowledgements.OfSubtask acknowledged, Listener listener, Runnable ending) {
      this.acknowledged = acknowledged;
      this.listener = listener;
      this.ending = ending;
    }

    @Override
    public RuleSet rules() {
      return state.rules();
    }

    @Override
    public long offset() {
      return state.offset();
    }

    @Override
    public void applied(long offset) {
      acknowledged.applied(offset);
    }

    @Override
    public void pause(RuleMessage.OfPause pause) {
      acknowledgements.pause(pause);
    }

    private void leave() {
      subscriptions.remove(this);
      acknowledgements.remove(acknowledged);
    }

    @Override
    public void close() {
      if (!isClosed.getAndSet(true)) {
        leave();
        ending.run();
      }
    }
  }
}
