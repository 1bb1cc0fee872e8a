package io.lastfix.rules.judge;

import io.lastfix.expressions.Language;
import io.lastfix.expressions.Statement;
import io.lastfix.rules.fence.FenceShape;
import io.lastfix.rules.rule.Condition;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.RuleReader;
import io.lastfix.rules.rule.Who;
import io.lastfix.rules.text.TextException;
import io.lastfix.rules.topic.RuleBook;
import io.lastfix.rules.topic.RuleMessage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a {@link RuleBook} and the fences that they name, compiled and indexed. Paused
 * rules, those that cannot be read and those that name a missing fence are not in it. It is
 * immutable, and serves all threads.
 *
 * <p>A fence that this release cannot use is not deleted: the devices in it have not left it. Its
 * earlier form counts, if the set before has one. Otherwise the rules that name it do nothing.
 */
public final class RuleSet {
  /** Without any rule, and without groups. */
  public static final RuleSet EMPTY = empty(Groups.NONE);

  private static final RuleReader READER = new RuleReader(new Language());

  /** By id, those that rules name. Empty: the fence is not deleted, but cannot be used. */
  private final Map<String, Optional<CompiledFence>> fences;

  private final Map<String, CompiledRule> compiled;

  /** The rules of all {@link BoundRule.Mode modes}. */
  private final Map<String, BoundRule> bound;

  /** The ids of those that are paused. */
  private final Set<String> paused;

  private final RuleIndex index;
  private final List<String> unreadable;
  private final Groups groups;

  /** The versions of the rules about groups, by id. */
  private final Map<String, Long> aboutGroups;

  private final int active;

  private RuleSet(
      Map<String, Optional<CompiledFence>> fences,
      Map<String, CompiledRule> compiled,
      Map<String, BoundRule> bound,
      Set<String> paused,
      RuleIndex index,
      List<String> unreadable,
      Groups groups) {
    this.fences = fences;
    this.compiled = compiled;
    this.bound = bound;
    this.paused = paused;
    this.index = index;
    this.unreadable = List.copyOf(unreadable);
    this.groups = groups;
    aboutGroups =
        bound.values().stream()
            .filter(rule -> rule.rule().who() instanceof Who.Members)
            .collect(Collectors.toUnmodifiableMap(BoundRule::id, BoundRule::version));
    active = (int) bound.values().stream().filter(BoundRule::isActive).count();
  }

  /**
   * Returns a set without any rule.
   *
   * @param groups of the sets that are compiled with it as the one before
   */
  public static RuleSet empty(Groups groups) {
    return new RuleSet(
        Map.of(),
        Map.of(),
        Map.of(),
        Set.of(),
        new RuleIndex(List.of(), List.of(), null),
        List.of(),
        groups);
  }

  /**
   * Compiles a book.
   *
   * @param before the set of an earlier book: what did not change is not compiled again. Its groups
   *     count
   */
  public static RuleSet of(RuleBook book, RuleSet before) {
    List<String> unreadable = new ArrayList<>();
    Map<String, CompiledRule> compiled = new TreeMap<>();
    Set<String> paused = new HashSet<>();
    for (RuleMessage.OfRule message : book.rules().values()) {
      if (book.pause(message) == null) {
        rule(message, before.compiled.get(message.id()), unreadable)
            .ifPresent(rule -> compiled.put(message.id(), rule));
      } else {
        paused.add(message.id());
      }
    }
    return of(compiled, paused, book, before, unreadable);
  }

  /** Compiles one rule, which need not be in the book, with the book's fences. */
  public static RuleSet of(Rule rule, long version, RuleBook book) {
    RuleMessage.OfRule message = new RuleMessage.OfRule(rule.id(), version, null);
    return of(
        Map.of(rule.id(), new CompiledRule(message, rule)),
        Set.of(),
        book,
        EMPTY,
        new ArrayList<>());
  }

  private static RuleSet of(
      Map<String, CompiledRule> compiled,
      Set<String> paused,
      RuleBook book,
      RuleSet before,
      List<String> unreadable) {
    Set<String> named = new TreeSet<>();
    compiled.values().forEach(rule -> named.addAll(rule.rule().fences()));
    Map<String, Optional<CompiledFence>> fences = new HashMap<>();
    for (String id : named) {
      RuleMessage.OfFence message = book.fence(id);
      if (message != null && message.fence() != null) {
        fences.put(id, fence(message, fence(before.fences, id), unreadable));
      }
    }
    for (RuleMessage.Unreadable message : book.unreadable()) {
      if (message.isOfFence()) {
        Optional<CompiledFence> earlier = fence(before.fences, message.id());
        fences.put(message.id(), instead(message.words(), earlier, unreadable));
      } else {
        unreadable.add(message.words());
      }
    }
    Map<String, BoundRule> bound = bound(compiled.values(), fences, book, unreadable);
    List<BoundRule> active = bound.values().stream().filter(BoundRule::isActive).toList();
    return new RuleSet(
        fences,
        compiled,
        bound,
        paused,
        new RuleIndex(active, shapes(active, fences), before.index),
        unreadable,
        before.groups);
  }

  /** Returns a fence; empty if there is none, or if it cannot be used. */
  private static Optional<CompiledFence> fence(
      Map<String, Optional<CompiledFence>> fences, String id) {
    return fences.getOrDefault(id, Optional.empty());
  }

  private static Optional<CompiledFence> fence(
      RuleMessage.OfFence message, Optional<CompiledFence> before, List<String> unreadable) {
    if (before.isPresent() && before.get().message().equals(message)) {
      return before;
    }
    try {
      FenceShape shape = new FenceShape(Objects.requireNonNull(message.fence()));
      return Optional.of(new CompiledFence(message, shape));
    } catch (IllegalArgumentException e) {
      return instead(problem(message, e.getMessage()), before, unreadable);
    } catch (RuntimeException | StackOverflowError e) {
      // One fence must not end the job.
      return instead(problem(message, e.toString()), before, unreadable);
    }
  }

  private static String problem(RuleMessage.OfFence message, @Nullable String why) {
    return "fence/%s, version %d: %s".formatted(message.id(), message.version(), why);
  }

  /** Returns what counts instead of a fence that cannot be used: its earlier form. */
  private static Optional<CompiledFence> instead(
      String problem, Optional<CompiledFence> before, List<String> unreadable) {
    unreadable.add(
        before
            .map(fence -> "%s; version %d stays in force".formatted(problem, fence.version()))
            .orElse(problem));
    return before;
  }

  private static Optional<CompiledRule> rule(
      RuleMessage.OfRule message, @Nullable CompiledRule before, List<String> unreadable) {
    if (before != null && before.message().equals(message)) {
      return Optional.of(before);
    }
    try {
      String yaml = Objects.requireNonNull(message.content()).yaml();
      return Optional.of(new CompiledRule(message, READER.read(yaml, fence -> true)));
    } catch (TextException e) {
      unreadable.add("rule %s: %s".formatted(message.id(), e.placed()));
    } catch (RuntimeException | StackOverflowError e) {
      // One rule must not end the job.
      unreadable.add("rule %s: %s".formatted(message.id(), e));
    }
    return Optional.empty();
  }

  private static Map<String, BoundRule> bound(
      Collection<CompiledRule> rules,
      Map<String, Optional<CompiledFence>> fences,
      RuleBook book,
      List<String> unreadable) {
    Map<String, BoundRule> bound = new HashMap<>();
    for (CompiledRule compiled : rules) {
      String id = compiled.message().id();
      Set<String> missing = new TreeSet<>(compiled.rule().fences());
      missing.removeIf(fence -> fence(fences, fence).isPresent());
      for (String fence : missing) {
        String problem = fences.containsKey(fence) ? "cannot use the fence" : "there is no fence";
        unreadable.add("rule %s: %s %s".formatted(id, problem, fence));
      }
      String condition =
          compiled.rule().when() instanceof Condition.InFence when ? when.fence() : null;
      RuleMessage.OfFence newest = condition == null ? null : book.fence(condition);
      BoundRule.Mode mode =
          mode(missing, newest != null && newest.fence() == null, fences.keySet());
      if (mode != null) {
        CompiledFence fence = condition == null ? null : fence(fences, condition).orElse(null);
        RuleMessage.OfFence counting = fence == null ? newest : fence.message();
        long fenceMillis = counting == null ? 0 : counting.put().toEpochMilli();
        bound.put(id, new BoundRule(compiled, ofCondition(compiled, fences), fenceMillis, mode));
      }
    }
    return bound;
  }

  private static Map<String, CompiledFence> ofCondition(
      CompiledRule compiled, Map<String, Optional<CompiledFence>> fences) {
    Map<String, CompiledFence> ofCondition = new HashMap<>();
    for (Condition.InFence part : compiled.rule().when().inFences()) {
      fence(fences, part.fence()).ifPresent(fence -> ofCondition.put(part.fence(), fence));
    }
    return ofCondition;
  }

  /**
   * Returns what a rule does; null: it is not in the set.
   *
   * @param missing the fences that it names and that cannot be used
   * @param isDeleted whether its condition has a fence that was deleted
   * @param undeleted the fences that are not deleted
   */
  private static BoundRule.@Nullable Mode mode(
      Set<String> missing, boolean isDeleted, Set<String> undeleted) {
    if (missing.isEmpty()) {
      return BoundRule.Mode.ACTIVE;
    }
    if (isDeleted) {
      return BoundRule.Mode.ENDING;
    }
    return missing.stream().anyMatch(undeleted::contains) ? BoundRule.Mode.FROZEN : null;
  }

  /** Only these are looked up for each record. */
  private static List<FenceShape> shapes(
      List<BoundRule> rules, Map<String, Optional<CompiledFence>> fences) {
    Set<String> named = new TreeSet<>();
    rules.forEach(rule -> named.addAll(rule.rule().fences()));
    return named.stream().map(id -> fence(fences, id).orElseThrow().shape()).toList();
  }

  /** Returns the number of rules. */
  public int rules() {
    return active;
  }

  /** Returns the number of fences that rules name. */
  public int fences() {
    return (int) fences.values().stream().filter(Optional::isPresent).count();
  }

  /** Returns the expressions of the rules. */
  public List<Statement> statements() {
    return bound.values().stream().flatMap(rule -> rule.rule().statements().stream()).toList();
  }

  /** Returns the id of the rule that has an expression of {@link #statements}. */
  public String ruleWith(Statement statement) {
    return bound.values().stream()
        .filter(rule -> rule.rule().statements().contains(statement))
        .map(BoundRule::id)
        .findFirst()
        .orElseThrow();
  }

  /** Returns which rules and fences cannot be used, and why, one line each. */
  public List<String> unreadable() {
    return unreadable;
  }

  /** Returns the version of a rule; 0 if it is not in the set. */
  public long version(String rule) {
    BoundRule found = bound.get(rule);
    return found != null && found.isActive() ? found.version() : 0;
  }

  /**
   * Returns whether a rule of the other set has another fence here, or none: devices may have left
   * it. A new version of a rule begins anew.
   */
  public boolean hasOtherFences(RuleSet before) {
    return before.bound.values().stream().anyMatch(this::hasOtherFence);
  }

  private boolean hasOtherFence(BoundRule before) {
    BoundRule now = find(before.id(), before.version());
    return now != null
        && (now.fenceVersion() != before.fenceVersion() || now.isFrozen() != before.isFrozen());
  }

  /** Returns whether a rule is about a group. */
  public boolean namesGroups() {
    return !aboutGroups.isEmpty();
  }

  /** Returns the versions of the rules about groups, by id. */
  public Map<String, Long> aboutGroups() {
    return aboutGroups;
  }

  /** Returns the group of a user; null if it has none, or no rule is about groups. */
  @Nullable String group(String user) {
    return namesGroups() ? groups.of(user) : null;
  }

  /** Returns whether there are rules about silence. */
  public boolean hasSilences() {
    return bound.values().stream().anyMatch(RuleSet::isOfSilence);
  }

  /**
   * Returns whether a rule about silence counts here that does not in the other set: devices that
   * are silent may have to be woken up for it.
   */
  public boolean hasOtherSilences(RuleSet before) {
    return bound.values().stream()
        .anyMatch(rule -> isOfSilence(rule) && before.version(rule.id()) != rule.version());
  }

  private static boolean isOfSilence(BoundRule rule) {
    return rule.isActive() && rule.when() instanceof Condition.Silent;
  }

  /** Returns whether a rule is paused. */
  boolean isPaused(String rule) {
    return paused.contains(rule);
  }

  /** Returns that version of a rule, of any {@link BoundRule.Mode}. */
  @Nullable BoundRule find(String rule, long version) {
    BoundRule found = bound.get(rule);
    return found != null && found.version() == version ? found : null;
  }

  RuleIndex index() {
    return index;
  }
}
