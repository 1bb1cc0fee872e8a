package io.lastfix.rules.rule;

import io.lastfix.expressions.ExpressionException;
import io.lastfix.expressions.Language;
import io.lastfix.expressions.Literals;
import io.lastfix.expressions.Statement;
import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.Quantity;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.text.Ids;
import io.lastfix.rules.text.TextException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads a rule from YAML.
 *
 * @param language of its expressions
 */
public record RuleReader(Language language) {
  /** The longest text, in code points. */
  public static final int MAX_LENGTH = 16_000;

  /** The least certainty, and that of a rule which names none. */
  public static final double DEFAULT_CERTAINTY = 0.5;

  private static final int MAX_USERS = 1_000;
  private static final int MAX_ACTIONS = 8;
  private static final Duration MAX_DURATION = Duration.ofDays(30);
  private static final double MAX_MARGIN_METERS = 100_000;
  private static final Duration DEFAULT_QUIET = Duration.ofMinutes(15);

  private static final Set<String> CONDITION =
      Set.of("certainty", "expr", "fence", "for", "is", "margin", "sequence", "silent", "within");

  private static final Pattern METERS = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?) *(m|km)");

  /** As {@code privacy.pseudonym-key} makes them. */
  private static final Pattern PSEUDONYM = Pattern.compile("[0-9a-f]{32}");

  /** As {@code lastfix group create} takes it. */
  private static final Pattern GROUP = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?");

  /** A number without sign and exponent. */
  private static final Pattern SHARE = Pattern.compile("[01](?:\\.\\d{1,6})?");

  /** A topic to publish to, which has no wildcards. */
  private static final Pattern MQTT_TOPIC = Pattern.compile("(?!\\$)[^+#\\p{Cntrl}]{1,256}");

  /** Checks what a rule names. */
  private record Known(Predicate<String> isFence, boolean arePseudonyms) implements Literals {
    @Override
    public Optional<String> problemOfFence(String id) {
      if (!Ids.isValid(id)) {
        return Optional.of(Ids.EXPECTED);
      }
      return isFence.test(id)
          ? Optional.empty()
          : Optional.of("there is no fence %s: put it first with lastfix fence put".formatted(id));
    }

    @Override
    public Optional<String> problemOfUser(String text, boolean isWhole) {
      if (!arePseudonyms || (isWhole && PSEUDONYM.matcher(text).matches())) {
        return Optional.empty();
      }
      return Optional.of(
          isWhole
              ? "this configuration stores pseudonyms: name those, which lastfix pseudonym prints"
              : "this configuration stores pseudonyms, which have no common beginning: name ids");
    }
  }

  /** Reads a rule that may name any user. */
  public Rule read(String yaml, Predicate<String> isFence) throws TextException {
    return read(yaml, isFence, false);
  }

  /**
   * Reads a rule.
   *
   * @param isFence whether there is a fence of that id
   * @param arePseudonyms whether users have pseudonyms, and a rule must name those: it is judged
   *     over stored records, which have no other ids
   * @throws TextException if the text is no rule, or names a fence or a user that cannot exist; has
   *     the place
   */
  public Rule read(String yaml, Predicate<String> isFence, boolean arePseudonyms)
      throws TextException {
    Known known = new Known(isFence, arePseudonyms);
    YamlText text = new YamlText(yaml, MAX_LENGTH);
    Map<String, Node> rule =
        YamlText.mapping(text.root(), Set.of("id", "when", "who", "then", "quiet"));
    Node id = required(rule, "id", text.root());
    Condition when = condition(text, required(rule, "when", text.root()), known);
    Node who = rule.get("who");
    Node then = rule.get("then");
    Node quiet = rule.get("quiet");
    return new Rule(
        id(id),
        when,
        who == null ? new Who.Everyone() : who(text, who, known),
        then == null ? List.of() : actions(then),
        quiet == null ? defaultQuiet(when) : duration(quiet));
  }

  private static Node required(Map<String, Node> mapping, String key, Node place)
      throws TextException {
    Node value = mapping.get(key);
    if (value == null) {
      throw YamlText.at(place, "expected a key " + key);
    }
    return value;
  }

  private static String id(Node node) throws TextException {
    try {
      return Ids.require(YamlText.text(node));
    } catch (IllegalArgumentException e) {
      throw YamlText.at(node, String.valueOf(e.getMessage()));
    }
  }

  /**
   * A state that lasts would otherwise make an alert of each record. A silence makes one anyway.
   */
  private static Duration defaultQuiet(Condition when) {
    return when.isChange() || when instanceof Condition.Silent ? Duration.ZERO : DEFAULT_QUIET;
  }

  private Condition condition(YamlText text, Node node, Known known) throws TextException {
    Map<String, Node> when = YamlText.mapping(node, CONDITION);
    String kind = kind(node, when, List.of("expr", "fence", "sequence", "silent"));
    if (kind.equals("sequence")) {
      return sequence(text, node, when, known);
    }
    if (kind.equals("silent")) {
      return silent(node, when);
    }
    Node lasting = when.get("for");
    Duration duration = lasting == null ? Duration.ZERO : duration(lasting);
    return single(text, node, when, kind, duration, known);
  }

  /**
   * Returns the key that decides what a condition is.
   *
   * @param kinds those that it may have, sorted
   */
  private static String kind(Node node, Map<String, Node> when, List<String> kinds)
      throws TextException {
    String kind =
        kinds.stream()
            .filter(when::containsKey)
            .findFirst()
            .orElseThrow(
                () -> YamlText.at(node, "expected one key of " + String.join(", ", kinds)));
    for (String key : new TreeSet<>(when.keySet())) {
      if (!key.equals(kind) && !besides(kind).contains(key)) {
        throw YamlText.at(when.get(key), "expected %s without %s".formatted(kind, key));
      }
    }
    return kind;
  }

  /** Returns what a condition of that kind may have, too. */
  private static Set<String> besides(String kind) {
    return switch (kind) {
      case "fence" -> Set.of("is", "for", "margin", "certainty");
      case "sequence" -> Set.of("within");
      default -> Set.of("for");
    };
  }

  private Condition sequence(YamlText text, Node node, Map<String, Node> when, Known known)
      throws TextException {
    List<Condition> steps = new ArrayList<>();
    for (Node step :
        YamlText.list(
            when.get("sequence"), Condition.Sequence.MIN_STEPS, Condition.Sequence.MAX_STEPS)) {
      Map<String, Node> keys =
          YamlText.mapping(step, Set.of("fence", "is", "margin", "certainty", "expr"));
      String kind = kind(step, keys, List.of("expr", "fence"));
      steps.add(single(text, step, keys, kind, Duration.ZERO, known));
    }
    return new Condition.Sequence(steps, time(required(when, "within", node)));
  }

  private static Condition silent(Node node, Map<String, Node> when) throws TextException {
    Node of = when.get("silent");
    Condition.Silent.Sign sign =
        Condition.Silent.Sign.find(YamlText.text(of))
            .orElseThrow(() -> YamlText.at(of, "expected position or presence"));
    return new Condition.Silent(sign, time(required(when, "for", node)));
  }

  /** Reads a condition about one fence, or an expression. */
  private Condition single(
      YamlText text, Node node, Map<String, Node> when, String kind, Duration lasting, Known known)
      throws TextException {
    if (kind.equals("expr")) {
      return new Condition.Expression(statement(text, when.get("expr"), known), lasting);
    }
    Node is = required(when, "is", node);
    return new Condition.InFence(
        fence(when.get("fence"), known),
        Alert.Kind.find(YamlText.text(is))
            .filter(Alert.Kind::isOfFence)
            .orElseThrow(() -> YamlText.at(is, "expected entered, left, inside or outside")),
        lasting,
        margin(when.get("margin")),
        certainty(when.get("certainty")));
  }

  private static String fence(Node node, Known known) throws TextException {
    String fence = YamlText.text(node);
    require(node, known.problemOfFence(fence));
    return fence;
  }

  private static void require(Node node, Optional<String> problem) throws TextException {
    if (problem.isPresent()) {
      throw YamlText.at(node, problem.get());
    }
  }

  private Statement statement(YamlText text, Node node, Known known) throws TextException {
    try {
      return language.compile(YamlText.text(node), known);
    } catch (ExpressionException e) {
      throw text.at(node, e);
    }
  }

  private static Duration time(Node node) throws TextException {
    Duration time = duration(node);
    if (time.isZero()) {
      throw YamlText.at(node, "expected more than 0 s");
    }
    return time;
  }

  private static Duration duration(Node node) throws TextException {
    String expected = "a duration up to 30 d, such as 60 s or 15 min";
    Duration duration;
    try {
      duration = Quantity.duration(YamlText.text(node), expected);
    } catch (IllegalArgumentException e) {
      throw YamlText.at(node, "expected " + expected);
    }
    if (duration.compareTo(MAX_DURATION) > 0) {
      throw YamlText.at(node, "expected " + expected);
    }
    return duration;
  }

  private static double margin(@Nullable Node node) throws TextException {
    if (node == null) {
      return 0;
    }
    Matcher matcher = METERS.matcher(YamlText.text(node));
    if (matcher.matches()) {
      double number = Double.parseDouble(matcher.group(1));
      double meters = matcher.group(2).equals("km") ? number * 1000 : number;
      if (meters <= MAX_MARGIN_METERS) {
        return meters;
      }
    }
    throw YamlText.at(node, "expected a distance up to 100 km, such as 200 m");
  }

  private static double certainty(@Nullable Node node) throws TextException {
    if (node == null) {
      return DEFAULT_CERTAINTY;
    }
    String text = YamlText.text(node);
    double certainty = SHARE.matcher(text).matches() ? Double.parseDouble(text) : 0;
    if (certainty < DEFAULT_CERTAINTY || certainty > 1) {
      throw YamlText.at(node, "expected a share from 0.5 to 1");
    }
    return certainty;
  }

  private Who who(YamlText text, Node node, Known known) throws TextException {
    Map<String, Node> who = YamlText.mapping(node, Set.of("id", "ids", "prefix", "group", "expr"));
    if (who.size() != 1) {
      throw YamlText.at(node, "expected one key of expr, group, id, ids and prefix");
    }
    Map.Entry<String, Node> only = who.entrySet().iterator().next();
    Node value = only.getValue();
    return switch (only.getKey()) {
      case "id" -> new Who.Users(Set.of(user(value, known, true)));
      case "ids" -> new Who.Users(users(value, known));
      case "prefix" -> new Who.Beginning(user(value, known, false));
      case "group" -> new Who.Members(group(value));
      default -> new Who.Matching(statement(text, value, known));
    };
  }

  private static String group(Node node) throws TextException {
    String group = YamlText.text(node);
    if (!GROUP.matcher(group).matches()) {
      throw YamlText.at(node, "group: expected 1 to 64 of a-z, 0-9 and dashes inside");
    }
    return group;
  }

  private static Set<String> users(Node node, Known known) throws TextException {
    Set<String> users = new HashSet<>();
    for (Node user : YamlText.list(node, 1, MAX_USERS)) {
      users.add(user(user, known, true));
    }
    return users;
  }

  private static String user(Node node, Known known, boolean isWhole) throws TextException {
    String user = YamlText.text(node);
    require(node, known.problemOfUser(user, isWhole));
    return user;
  }

  private static List<Action> actions(Node node) throws TextException {
    List<Action> actions = new ArrayList<>();
    for (Node element : YamlText.list(node, 1, MAX_ACTIONS)) {
      Map<String, Node> action =
          YamlText.mapping(element, Set.of("alertmanager", "mqtt", "webhook"));
      if (action.size() != 1) {
        throw YamlText.at(element, "expected one key of alertmanager, mqtt and webhook");
      }
      Map.Entry<String, Node> only = action.entrySet().iterator().next();
      Node target = only.getValue();
      actions.add(
          switch (only.getKey()) {
            case "webhook" -> new Action(Action.Kind.WEBHOOK, id(target));
            case "mqtt" -> new Action(Action.Kind.MQTT, mqttTopic(target));
            default -> new Action(Action.Kind.ALERTMANAGER, route(target));
          });
    }
    return actions;
  }

  private static String route(Node node) throws TextException {
    String route = YamlText.text(node);
    if (!Key.isName(route)) {
      throw YamlText.at(node, "expected " + Key.A_NAME);
    }
    return route;
  }

  private static String mqttTopic(Node node) throws TextException {
    String topic = YamlText.text(node);
    if (!MQTT_TOPIC.matcher(topic).matches()) {
      throw YamlText.at(
          node,
          "expected a topic of up to 256 characters, without + and #, that does not begin with $");
    }
    return topic;
  }
}
