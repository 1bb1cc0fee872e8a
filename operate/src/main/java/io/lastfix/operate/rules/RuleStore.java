package io.lastfix.operate.rules;

import io.lastfix.expressions.Language;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.RuleReader;
import io.lastfix.rules.rule.Who;
import io.lastfix.rules.text.TextException;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.RuleMessage.Content;
import io.lastfix.rules.topic.RulePublisher;
import io.lastfix.rules.topic.RuleTopic;
import java.io.IOException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules and fences of a topic: lists, stores and deletes them, after checking them. */
public final class RuleStore {
  /** The most rules. */
  public static final int MAX_RULES = 1_000;

  /** The most fences. */
  public static final int MAX_FENCES = 10_000;

  private static final Pattern PSEUDONYM = Pattern.compile("[0-9a-f]{32}");
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

  /** Returns which messages of the topic could not be read, and why. */
  public List<String> unreadable() {
    return publisher.unreadable();
  }

  /**
   * Checks all of a rule but the fences that it names.
   *
   * @throws TextException naming what was expected, with the place
   */
  public static void check(String yaml) throws TextException {
    var unused = READER.read(yaml, fence -> true);
  }

  /**
   * Stores a rule, unless the same text is stored and not paused.
   *
   * @throws TextException if it is invalid, or names a fence that does not exist; has the place
   * @throws IllegalArgumentException if it names users under other ids than the stored ones, or
   *     there are too many rules; has the remedy
   */
  public Change putRule(String yaml) throws IOException, TextException {
    Rule rule = READER.read(yaml, publisher.book().fences()::containsKey);
    requireStoredIds(rule.who());
    Map<String, RuleMessage.OfRule> rules = publisher.book().rules();
    RuleMessage.OfRule stored = rules.get(rule.id());
    if (stored == null && rules.size() >= MAX_RULES) {
      throw new IllegalArgumentException(
          "there are %d rules, and no more are possible: delete one first".formatted(MAX_RULES));
    }
    if (stored != null
        && content(stored).yaml().equals(yaml)
        && publisher.book().pause(stored) == null) {
      return new Change(rule.id(), stored.version(), false);
    }
    Content content = new Content(yaml, by, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    return written(rule.id(), version -> new RuleMessage.OfRule(rule.id(), version, content));
  }

  private Change written(String id, LongFunction<RuleMessage> message) throws IOException {
    long version = publisher.publish(message.apply(1).key(), message);
    return new Change(id, version, true);
  }

  /** A rule is judged over stored records, which have no other ids. */
  private void requireStoredIds(Who who) {
    if (!storesPseudonyms) {
      return;
    }
    if (who instanceof Who.Beginning) {
      throw new IllegalArgumentException(
          "who: this configuration stores pseudonyms, which have no common beginning: name ids");
    }
    if (who instanceof Who.Users users
        && !users.ids().stream().allMatch(id -> PSEUDONYM.matcher(id).matches())) {
      throw new IllegalArgumentException(
          "who: this configuration stores pseudonyms: name those, which lastfix pseudonym prints");
    }
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
    return new RuleEntry(
        rule.id(),
        rule.version(),
        pause == null ? "active" : "paused",
        pause == null ? null : pause.reason(),
        words(rule),
        content(rule).put(),
        content(rule).by());
  }

  private static String words(RuleMessage.OfRule rule) {
    Rule read = readable(rule);
    return read == null ? "unreadable for this release" : read.when().words();
  }

  /** Returns the rule; null if it is one of a newer release. */
  private static @Nullable Rule readable(RuleMessage.OfRule rule) {
    try {
      return READER.read(content(rule).yaml(), fence -> true);
    } catch (TextException e) {
      return null;
    }
  }

  /**
   * Pauses a rule until it is put again.
   *
   * @throws NoSuchElementException as for {@link #rule}
   */
  public Change pauseRule(String id, String reason) throws IOException {
    RuleMessage.OfRule rule = stored(id);
    publisher.pause(new RuleMessage.OfPause(id, rule.version(), by, reason));
    return new Change(id, rule.version(), true);
  }

  /**
   * Deletes a rule.
   *
   * @throws NoSuchElementException as for {@link #rule}
   */
  public Change deleteRule(String id) throws IOException {
    var unused = stored(id);
    return written(id, version -> new RuleMessage.OfRule(id, version, null));
  }

  /**
   * Stores a fence, unless the same is stored.
   *
   * @throws IllegalArgumentException if there are too many
   */
  public Change putFence(Fence fence) throws IOException {
    Map<String, RuleMessage.OfFence> fences = publisher.book().fences();
    RuleMessage.OfFence stored = fences.get(fence.id());
    if (stored == null && fences.size() >= MAX_FENCES) {
      throw new IllegalArgumentException(
          "there are %,d fences, and no more are possible: delete one first".formatted(MAX_FENCES));
    }
    if (stored != null && fence.equals(stored.fence())) {
      return new Change(fence.id(), stored.version(), false);
    }
    return written(fence.id(), version -> new RuleMessage.OfFence(fence.id(), version, fence));
  }

  /** Returns the fences, by id. */
  public List<FenceEntry> fences() {
    return publisher.book().fences().values().stream()
        .map(of -> FenceEntry.of(fence(of.id()), of.version()))
        .toList();
  }

  /**
   * Returns a fence.
   *
   * @throws NoSuchElementException if there is none of that id; has the remedy
   */
  public Fence fence(String id) {
    RuleMessage.OfFence stored = publisher.book().fences().get(id);
    if (stored == null || stored.fence() == null) {
      throw new NoSuchElementException(
          "there is no fence %s: lastfix fence list shows all".formatted(id));
    }
    return stored.fence();
  }

  /**
   * Deletes a fence.
   *
   * @throws NoSuchElementException as for {@link #fence}
   * @throws IllegalStateException if rules name it
   */
  public Change deleteFence(String id) throws IOException {
    var unused = fence(id);
    List<String> rules =
        publisher.book().rules().values().stream()
            .filter(
                rule -> {
                  Rule read = readable(rule);
                  return read != null && read.fences().contains(id);
                })
            .map(RuleMessage.OfRule::id)
            .toList();
    if (!rules.isEmpty()) {
      throw new IllegalStateException(
          "the fence %s is named by rules: change or delete %s first"
              .formatted(id, String.join(", ", rules)));
    }
    return written(id, version -> new RuleMessage.OfFence(id, version, null));
  }
}
