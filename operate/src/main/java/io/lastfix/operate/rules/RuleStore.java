package io.lastfix.operate.rules;

import io.lastfix.expressions.Language;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.follow.AppliedReadings;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.RuleReader;
import io.lastfix.rules.rule.Who;
import io.lastfix.rules.text.TextException;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.RuleMessage.Content;
import io.lastfix.rules.topic.RulePublisher;
import io.lastfix.rules.topic.RuleTopic;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules and fences of a topic: lists, stores and deletes them, after checking them. */
public final class RuleStore {
  /** The most rules. */
  public static final int MAX_RULES = 1_000;

  /** The most fences. */
  public static final int MAX_FENCES = 100_000;

  /** The most positions of all fences together: what they need in memory grows with those. */
  public static final int MAX_POSITIONS = 1_000_000;

  private static final RuleReader READER = new RuleReader(new Language());

  private final RulePublisher publisher;
  private final boolean storesPseudonyms;
  private final String by;
  private final InstantSource clock;

  /**
   * What a change has done.
   *
   * @param version the stored one, whether it is new or not
   * @param written false: the same was stored already
   */
  public record Change(String id, long version, boolean written) {}

  /**
   * A rule to run.
   *
   * @param version of the rule; of one that is not stored, its next one
   * @param put when that version was put
   * @param book has the fences
   */
  record Tried(Rule rule, long version, Instant put, RuleBook book) {
    /** Returns since when the rules job judges by this version and by these fences. */
    Instant since() {
      Instant since = put;
      for (String id : rule.fences()) {
        RuleMessage.OfFence fence = book.fence(id);
        since = fence != null && fence.put().isAfter(since) ? fence.put() : since;
      }
      return since;
    }

    /**
     * Compiles the rule, whether it is paused or not.
     *
     * @param quiet instead of the rule's
     * @throws IllegalStateException if this release cannot use one of the fences
     */
    RuleSet compiled(Duration quiet) {
      RuleSet set =
          RuleSet.of(
              new Rule(rule.id(), rule.when(), rule.who(), rule.then(), quiet), version, book);
      if (set.rules() == 0) {
        throw new IllegalStateException(
            "the rule cannot be run: " + String.join("; ", set.unreadable()));
      }
      return set;
    }
  }

  /**
   * Reads the topic.
   *
   * @param storesPseudonyms whether jobs replace users' ids
   * @param by the account of the operator
   */
  public RuleStore(RuleTopic topic, boolean storesPseudonyms, String by, InstantSource clock)
      throws IOException {
    publisher = new RulePublisher(topic);
    this.storesPseudonyms = storesPseudonyms;
    this.by = by;
    this.clock = clock;
  }

  /**
   * Reads the topic of a configuration.
   *
   * @param createsTopic whether it is created if it is absent
   */
  public static RuleStore open(LocationJobConfig config, boolean createsTopic) throws IOException {
    String topic = config.rules().topic();
    if (createsTopic) {
      try (KafkaTopics topics = KafkaTopics.connect(config.kafka())) {
        topics.ensureRules(topic);
        topics.ensureApplied(config.rules().appliedTopic());
      }
    }
    return of(config, false);
  }

  /** Reads the topic of a configuration; one that does not exist is empty. It changes nothing. */
  static RuleStore openIfThere(LocationJobConfig config) throws IOException {
    return of(config, true);
  }

  private static RuleStore of(LocationJobConfig config, boolean mayBeAbsent) throws IOException {
    return new RuleStore(
        new KafkaRuleTopic(config.kafka(), config.rules().topic(), mayBeAbsent),
        config.pseudonymKey() != null,
        System.getProperty("user.name", "unknown"),
        InstantSource.system());
  }

  /** Returns which messages of the topic could not be read, and why. */
  public List<String> unreadable() {
    return publisher.unreadable();
  }

  /**
   * Waits until the rules job applies all that is stored, or no such job runs.
   *
   * @param applied opens what the job's subtasks acknowledge, from an instant on
   * @param limit of the wait, after which the result names the subtasks that do not apply it
   * @throws IOException if what they acknowledge cannot be read
   */
  public Propagation awaitJob(Function<Instant, AppliedReadings> applied, Duration limit)
      throws IOException {
    try (AppliedReadings readings = applied.apply(clock.instant().minus(Propagation.SILENCE))) {
      return Propagation.await(readings, publisher.offset(), limit, clock);
    }
  }

  /**
   * Checks all of a rule but the fences that it names, and returns it.
   *
   * @throws TextException naming what was expected, with the place
   */
  public static Rule check(String yaml) throws TextException {
    return READER.read(yaml, fence -> true);
  }

  /**
   * Stores a rule, unless the same text is stored and not paused.
   *
   * @throws TextException if it is invalid, names a fence that does not exist, or users under other
   *     ids than the stored ones; has the place
   * @throws IllegalArgumentException if there are too many rules; has the remedy
   * @throws IllegalStateException if another operator deletes its fence at the same time, or this
   *     release cannot read the stored rule
   */
  public Change putRule(String yaml) throws IOException, TextException {
    Rule rule = READER.read(yaml, publisher.book().fences()::containsKey, storesPseudonyms);
    Map<String, RuleMessage.OfRule> rules = publisher.book().rules();
    RuleMessage.OfRule stored = rules.get(rule.id());
    if (stored == null && rules.size() >= MAX_RULES) {
      throw new IllegalArgumentException(
          "there are %d rules, and no more are possible: delete one first".formatted(MAX_RULES));
    }
    RuleMessage.OfPause pause = stored == null ? null : publisher.book().pause(stored);
    if (stored != null && content(stored).yaml().equals(yaml) && pause == null && isKept(stored)) {
      return new Change(rule.id(), stored.version(), false);
    }
    Content content = new Content(yaml, by, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    Change change = writtenRule(rule.id(), content);
    Set<String> missing = new TreeSet<>(rule.fences());
    missing.removeAll(publisher.book().fences().keySet());
    if (!missing.isEmpty()) {
      Change restored = writtenRule(rule.id(), stored == null ? null : stored.content());
      if (pause != null) {
        publisher.pause(
            new RuleMessage.OfPause(rule.id(), restored.version(), pause.by(), pause.reason()));
      }
      throw new IllegalStateException(
          "another operator deleted the fence %s at the same time, so the rule %s is as before: put the fence first"
              .formatted(String.join(", ", missing), rule.id()));
    }
    return change;
  }

  /** Returns whether compaction keeps this message. */
  private boolean isKept(RuleMessage message) {
    return publisher.book().endangered(message.key()).isEmpty();
  }

  private Change writtenRule(String id, @Nullable Content content) throws IOException {
    return written(id, version -> new RuleMessage.OfRule(id, version, content));
  }

  private Change written(String id, LongFunction<RuleMessage> message) throws IOException {
    long version = publisher.publish(message.apply(1).key(), message);
    return new Change(id, version, true);
  }

  /** Returns the rules, by id. */
  public List<RuleEntry> rules() {
    return publisher.book().rules().values().stream().map(this::entry).toList();
  }

  /**
   * Returns a rule.
   *
   * @throws NoSuchElementException if there is none of that id; has the remedy
   */
  public RuleEntry rule(String id) {
    return entry(stored(id));
  }

  /**
   * Returns a rule's text.
   *
   * @throws NoSuchElementException as for {@link #rule}
   */
  public String yaml(String id) {
    return content(stored(id)).yaml();
  }

  private RuleMessage.OfRule stored(String id) {
    publisher.book().requireReadable("rule/" + id);
    RuleMessage.OfRule rule = publisher.book().rules().get(id);
    if (rule == null) {
      throw new NoSuchElementException(
          "there is no rule %s: lastfix rule list shows all".formatted(id));
    }
    return rule;
  }

  /** The book lists only rules that have it. */
  private static Content content(RuleMessage.OfRule rule) {
    return Objects.requireNonNull(rule.content());
  }

  private RuleEntry entry(RuleMessage.OfRule rule) {
    RuleMessage.OfPause pause = publisher.book().pause(rule);
    Rule read = readable(rule);
    return new RuleEntry(
        rule.id(),
        rule.version(),
        pause == null ? state(read) : "paused",
        pause == null ? null : pause.reason(),
        read == null ? "unreadable for this release" : read.when().words(),
        content(rule).put(),
        content(rule).by());
  }

  /** As the rules job applies it. */
  private String state(@Nullable Rule rule) {
    boolean isApplied = rule != null && rule.fences().stream().allMatch(this::hasFence);
    return isApplied ? "active" : "not applied";
  }

  /**
   * Returns a stored rule to run.
   *
   * @throws NoSuchElementException as for {@link #rule}
   * @throws IllegalStateException if this release cannot read it
   */
  Tried tried(String id) {
    RuleMessage.OfRule stored = stored(id);
    Rule rule = readable(stored);
    if (rule == null) {
      throw new IllegalStateException("this release cannot read the rule " + id);
    }
    return new Tried(rule, stored.version(), content(stored).put(), publisher.book());
  }

  /**
   * Returns a rule to run that need not be stored; the fences that it names are.
   *
   * @throws TextException as for {@link #putRule}
   */
  Tried triedText(String yaml) throws TextException {
    RuleBook book = publisher.book();
    Rule rule = READER.read(yaml, this::hasFence, storesPseudonyms);
    RuleMessage.OfRule stored = book.rules().get(rule.id());
    long version = stored == null ? 1 : stored.version() + 1;
    return new Tried(rule, version, clock.instant(), book);
  }

  private boolean hasFence(String id) {
    RuleMessage.OfFence stored = publisher.book().fence(id);
    return stored != null && stored.fence() != null;
  }

  /** Returns the ids of the rules that name one of these users in {@code who} or in a condition. */
  List<String> rulesNaming(Collection<String> users) {
    return rulesThat(rule -> users.stream().anyMatch(user -> names(rule, user)));
  }

  private List<String> rulesThat(Predicate<Rule> isWanted) {
    return publisher.book().rules().values().stream()
        .filter(
            rule -> {
              Rule read = readable(rule);
              return read != null && isWanted.test(read);
            })
        .map(RuleMessage.OfRule::id)
        .toList();
  }

  private static boolean names(Rule rule, String user) {
    return (rule.who() instanceof Who.Users users && users.ids().contains(user))
        || (rule.who() instanceof Who.Beginning beginning && beginning.prefix().equals(user))
        || (rule.who() instanceof Who.Matching matching
            && matching.statement().texts().contains(user))
        || rule.when().statements().stream()
            .anyMatch(statement -> statement.texts().contains(user));
  }

  /** Returns the ids of the rules that this release cannot read. */
  List<String> unreadableRules() {
    return Stream.concat(
            publisher.book().rules().values().stream()
                .filter(rule -> readable(rule) == null)
                .map(RuleMessage.OfRule::id),
            publisher.book().unreadable().stream()
                .filter(RuleMessage.Unreadable::isOfRule)
                .map(RuleMessage.Unreadable::id))
        .toList();
  }

  /** Returns the rule; null if it is one of a newer release. */
  private static @Nullable Rule readable(RuleMessage.OfRule rule) {
    try {
      return check(content(rule).yaml());
    } catch (TextException e) {
      return null;
    }
  }

  /**
   * Pauses a rule until it is put again.
   *
   * @throws NoSuchElementException as for {@link #rule}
   * @throws IllegalStateException if another operator puts the rule at the same time
   */
  public Change pauseRule(String id, String reason) throws IOException {
    publisher.pause(new RuleMessage.OfPause(id, stored(id).version(), by, reason));
    RuleMessage.OfRule rule = stored(id);
    if (publisher.book().pause(rule) == null) {
      throw new IllegalStateException(
          "the rule %s is not paused, because another operator has put version %d: lastfix rule show prints that"
              .formatted(id, rule.version()));
    }
    return new Change(id, rule.version(), true);
  }

  private boolean isUnreadable(String key) {
    return publisher.book().unreadable().stream().anyMatch(message -> message.key().equals(key));
  }

  /**
   * Deletes a rule, also one that this release cannot read.
   *
   * @throws NoSuchElementException if there is none of that id; has the remedy
   */
  public Change deleteRule(String id) throws IOException {
    if (!isUnreadable("rule/" + id)) {
      var unused = stored(id);
    }
    return writtenRule(id, null);
  }

  /**
   * Stores a fence, unless the same is stored.
   *
   * @throws IllegalArgumentException if there are too many, or they are too large together
   * @throws IllegalStateException if this release cannot read the stored one
   */
  public Change putFence(Fence fence) throws IOException {
    Map<String, RuleMessage.OfFence> fences = publisher.book().fences();
    RuleMessage.OfFence stored = fences.get(fence.id());
    if (stored == null && fences.size() >= MAX_FENCES) {
      throw new IllegalArgumentException(
          "there are %,d fences, and no more are possible: delete one first".formatted(MAX_FENCES));
    }
    if (stored != null && fence.equals(stored.fence()) && isKept(stored)) {
      return new Change(fence.id(), stored.version(), false);
    }
    long positions = fence.area().positions();
    for (RuleMessage.OfFence other : fences.values()) {
      positions += other.id().equals(fence.id()) ? 0 : content(other).area().positions();
    }
    if (positions > MAX_POSITIONS) {
      throw new IllegalArgumentException(
          "the fences would have %,d positions together, and %,d are possible: delete one first"
              .formatted(positions, MAX_POSITIONS));
    }
    return writtenFence(fence.id(), fence);
  }

  private Change writtenFence(String id, @Nullable Fence fence) throws IOException {
    // In milliseconds: two changes within a second are not the same one.
    Instant put = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return written(id, version -> new RuleMessage.OfFence(id, version, put, fence));
  }

  /** The book lists only fences that have it. */
  private static Fence content(RuleMessage.OfFence fence) {
    return Objects.requireNonNull(fence.fence());
  }

  /** Returns the fences, by id. */
  public List<FenceEntry> fences() {
    return publisher.book().fences().values().stream()
        .map(of -> FenceEntry.of(content(of), of.version()))
        .toList();
  }

  /**
   * Returns a fence.
   *
   * @throws NoSuchElementException if there is none of that id; has the remedy
   */
  public Fence fence(String id) {
    publisher.book().requireReadable("fence/" + id);
    RuleMessage.OfFence stored = publisher.book().fences().get(id);
    if (stored == null) {
      throw new NoSuchElementException(
          "there is no fence %s: lastfix fence list shows all".formatted(id));
    }
    return content(stored);
  }

  /**
   * Deletes a fence, also one that this release cannot read.
   *
   * @throws NoSuchElementException if there is none of that id; has the remedy
   * @throws IllegalStateException if rules name it, also ones that are put at the same time, or
   *     this release cannot read a rule
   */
  public Change deleteFence(String id) throws IOException {
    Fence fence = isUnreadable("fence/" + id) ? null : fence(id);
    requireUnnamed(id);
    Change change = writtenFence(id, null);
    if (fence == null) {
      return change;
    }
    try {
      requireUnnamed(id);
    } catch (IllegalStateException e) {
      var unused = writtenFence(id, fence);
      throw e;
    }
    return change;
  }

  private void requireUnnamed(String fence) {
    List<String> naming = rulesThat(rule -> rule.fences().contains(fence));
    List<String> unreadable = unreadableRules();
    if (!naming.isEmpty()) {
      throw new IllegalStateException(
          "the fence %s is named by rules: change or delete %s first"
              .formatted(fence, String.join(", ", naming)));
    }
    if (!unreadable.isEmpty()) {
      throw new IllegalStateException(
          "this release cannot read rules that may name the fence %s: delete %s first, or delete the fence with the newer release"
              .formatted(fence, String.join(", ", unreadable)));
    }
  }
}
