package io.lastfix.operate.rules;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.alert.Alert;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.rules.AlertComparison.Compared;
import io.lastfix.operate.rules.AlertComparison.State;
import io.lastfix.operate.rules.RuleStore.Tried;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.rules.judge.OrderedJudge;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.rule.Condition;
import io.lastfix.rules.rule.Rule;
import io.lastfix.rules.rule.Who;
import io.lastfix.rules.text.TextException;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.query.TimeRange;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs one rule over History, by the judge of the rules job. The records of erased users are left
 * out, as their alerts are by the job's sinks.
 *
 * <p>The job may have found other alerts: a record came out of order, the position of its cell
 * became known later, or the catalogue had another range of it. The job may not have run, or may be
 * about to confirm an alert. A user's last record before the run may leave its side open, and an
 * earlier one not.
 */
public record RuleTrial(
    RuleCollections collections,
    RuleStore store,
    JudgeOptions options,
    AlertRequest request,
    JudgedHistory.Limits limits,
    InstantSource clock,
    Consumer<String> progress) {
  private static final Instant ALWAYS = TimeRange.ALL.from();

  /**
   * Reads the rules and fences of the session's configuration, if there are any.
   *
   * @throws IOException if Kafka does not answer or refuses
   */
  public static RuleTrial open(
      QuerySession session, AlertRequest request, Consumer<String> progress) throws IOException {
    LocationJobConfig config = session.config();
    return new RuleTrial(
        new MongoRuleCollections(session, session.history()),
        RuleStore.openIfThere(config),
        config.rules().judge(),
        request,
        JudgedHistory.Limits.USUAL,
        InstantSource.system(),
        progress);
  }

  /**
   * Returns the alerts that a rule would have made.
   *
   * @param id of a stored rule
   * @param yaml instead of it, a rule that need not be stored; null: none
   * @throws TextException as for {@link RuleStore#putRule}
   * @throws java.util.NoSuchElementException if there is no rule of that id
   * @throws IllegalStateException if it is no rule of records, there are too many alerts, or the
   *     limits end the run too early; has the remedy
   */
  public RuleReport test(String id, @Nullable String yaml) throws TextException {
    Tried tried = ofRecords(yaml == null ? store.tried(id) : store.triedText(yaml));
    TrialTime time = TrialTime.of(this, tried.rule().when(), ALWAYS);
    AlertComparison found = new AlertComparison(time.alerts().from(), List.of(), Duration.ZERO);
    RuleSet rule = tried.compiled(tried.rule().quiet());
    OrderedJudge judge = new OrderedJudge(options, rule, ALWAYS.toEpochMilli(), found);
    JudgedHistory history = new JudgedHistory(this, tried.rule(), time, judge).read();
    List<Compared> alerts = found.before(history.judgedTo());
    long users = alerts.stream().map(it -> it.alert().user()).distinct().count();
    ObjectNode about = history.about();
    about.put("found", alerts.size()).put("users", users).put("withheld", judge.withheld());
    return report(
        history,
        "%,d alerts for %,d users".formatted(alerts.size(), users),
        alerts.stream().map(this::row).toList(),
        about,
        List.of());
  }

  /**
   * Compares the alerts that a stored rule should have made with those that are stored, since this
   * version of it and its fences were put. Those of a changed fence are no part of this.
   *
   * @throws java.util.NoSuchElementException if there is no rule of that id
   * @throws IllegalStateException if they were put after that time, or as for {@link #test}
   */
  public RuleReport replay(String id) throws IOException {
    Tried tried = ofRecords(store.tried(id));
    Instant since = tried.since();
    TrialTime time = TrialTime.of(this, tried.rule().when(), since);
    List<String> lines = new ArrayList<>();
    if (!time.alerts().from().isAfter(since)) {
      lines.add("No earlier alert is compared: the rule or its fences were put at " + since);
    }
    AlertComparison comparison =
        new AlertComparison(
            time.alerts().from(), storedAlerts(tried, time.alerts(), lines), tried.rule().quiet());
    RuleSet rule = tried.compiled(Duration.ZERO);
    OrderedJudge judge = new OrderedJudge(options, rule, since.toEpochMilli(), comparison);
    JudgedHistory history = new JudgedHistory(this, tried.rule(), time, judge).read();
    List<Compared> compared = comparison.before(history.judgedTo());
    Map<State, Long> counts =
        compared.stream().collect(Collectors.groupingBy(Compared::state, Collectors.counting()));
    long same = counts.getOrDefault(State.SAME, 0L);
    long missing = counts.getOrDefault(State.MISSING, 0L);
    long surplus = counts.getOrDefault(State.SURPLUS, 0L);
    List<ObjectNode> rows =
        compared.stream()
            .filter(it -> it.state() != State.SAME)
            .map(it -> row(it).put(RuleReport.STATE, it.state().name().toLowerCase(Locale.ROOT)))
            .toList();
    ObjectNode about = history.about();
    about.put("same", same).put("missing", missing).put("surplus", surplus);
    return report(
        history,
        "%,d alerts are stored, %,d are missing, %,d more are stored but do not follow from History"
            .formatted(same, missing, surplus),
        rows,
        about,
        lines);
  }

  /** Refuses a rule that does not follow from the records of History alone. */
  private static Tried ofRecords(Tried tried) {
    Rule rule = tried.rule();
    if (rule.when() instanceof Condition.Silent) {
      throw new IllegalStateException(
          "the rule %s cannot be run over History: only the rules job judges when.silent"
              .formatted(rule.id()));
    }
    if (rule.who() instanceof Who.Members) {
      throw new IllegalStateException(
          "the rule %s cannot be run over History, which lacks the groups of devices: test it with who.ids instead of who.group"
              .formatted(rule.id()));
    }
    return tried;
  }

  /** Returns the alerts of the version, also those whose {@code quiet} reaches into the range. */
  private List<StoredAlert> storedAlerts(Tried tried, TimeRange range, List<String> lines)
      throws IOException {
    List<String> skipped = new ArrayList<>();
    List<StoredAlert> stored =
        collections.alerts(
            new Selection(tried.rule().id(), request.user()),
            new TimeRange(TimeRange.earlier(range.from(), tried.rule().quiet()), range.to()),
            AlertRows.MAX + 1,
            skipped::add);
    AlertComparison.requireFew(stored.size() + skipped.size());
    skipped.stream().distinct().forEach(lines::add);
    ErasedUsers erased = collections.erased();
    return stored.stream()
        .filter(it -> it.alert().version() == tried.version())
        .filter(it -> it.alert().cause() == Alert.Cause.RECORD)
        .filter(it -> !erased.covers(it.alert().user(), it.alert().atMillis()))
        .toList();
  }

  private ObjectNode row(Compared alert) {
    return AlertRows.row(alert.stored(), request.isNested());
  }

  /**
   * Returns a report.
   *
   * @param rows from old to new
   */
  private RuleReport report(
      JudgedHistory history,
      String found,
      List<ObjectNode> rows,
      ObjectNode about,
      List<String> lines) {
    List<String> all = new ArrayList<>();
    all.add(history.words() + ": " + found);
    all.addAll(lines);
    int left = Math.max(0, rows.size() - request.limit());
    if (left > 0) {
      all.add("There are more than these %d: raise --limit".formatted(request.limit()));
    }
    all.addAll(history.problems());
    store
        .unreadable()
        .forEach(place -> all.add("A message of the rules' topic is skipped: " + place));
    return new RuleReport(
        new AlertRows(rows.subList(left, rows.size()), left > 0, List.of()),
        about.put("more", left > 0),
        all,
        history.isWhole());
  }
}
