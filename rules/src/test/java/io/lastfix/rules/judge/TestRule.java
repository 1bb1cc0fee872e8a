package io.lastfix.rules.judge;

import io.lastfix.model.alert.Alert;
import io.lastfix.rules.rule.Condition;
import java.util.Map;
import java.util.TreeMap;

/** Builds the YAML of a rule. Without a change it alerts at once, and each time. */
final class TestRule {
  private final Map<String, String> when = new TreeMap<>();
  private final Map<String, String> rule = new TreeMap<>();
  private String id;

  private TestRule(String id) {
    this.id = id;
    rule.put("quiet", "0 s");
  }

  /** Returns a rule with the kind as its id, about the fence {@link TestBook#DEPOT}. */
  static TestRule of(Alert.Kind kind) {
    TestRule rule = new TestRule(kind.text());
    rule.when.put("fence", TestBook.DEPOT);
    rule.when.put("is", kind.text());
    return rule;
  }

  /** Returns a rule with the id {@code expr}. */
  static TestRule expression(String text) {
    TestRule rule = new TestRule("expr");
    rule.when.put("expr", quoted(text));
    return rule;
  }

  /** Returns a rule with the id {@code sequence}, and a time of 5 min. */
  static TestRule sequence(String... steps) {
    TestRule rule = new TestRule("sequence");
    rule.when.put("sequence", "[" + String.join(", ", steps) + "]");
    return rule.within(300);
  }

  /** Returns a rule with the id {@code silent}, and a time of 60 s. */
  static TestRule silent(Condition.Silent.Sign of) {
    TestRule rule = new TestRule("silent");
    rule.when.put("silent", of.text());
    return rule.lasting(60);
  }

  /** Returns a step of a sequence about the fence {@link TestBook#DEPOT}. */
  static String step(Alert.Kind kind) {
    return step(TestBook.DEPOT, kind);
  }

  static String step(String fence, Alert.Kind kind) {
    return "{fence: %s, is: %s}".formatted(fence, kind.text());
  }

  /** Returns a step of a sequence that is an expression. */
  static String step(String expression) {
    return "{expr: %s}".formatted(quoted(expression));
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  TestRule id(String other) {
    id = other;
    return this;
  }

  TestRule fence(String fence) {
    when.put("fence", fence);
    return this;
  }

  TestRule lasting(long seconds) {
    when.put("for", seconds + " s");
    return this;
  }

  TestRule within(long seconds) {
    when.put("within", seconds + " s");
    return this;
  }

  TestRule margin(int meters) {
    when.put("margin", meters + " m");
    return this;
  }

  TestRule certainty(double share) {
    when.put("certainty", Double.toString(share));
    return this;
  }

  TestRule quiet(long seconds) {
    rule.put("quiet", seconds + " s");
    return this;
  }

  TestRule who(String key, String value) {
    rule.put("who", "{%s: %s}".formatted(key, quoted(value)));
    return this;
  }

  TestRule webhook(String receiver) {
    rule.put("then", "[{webhook: %s}]".formatted(receiver));
    return this;
  }

  String id() {
    return id;
  }

  String yaml() {
    StringBuilder yaml = new StringBuilder("id: " + id + "\nwhen:\n");
    when.forEach((key, value) -> yaml.append("  " + key + ": " + value + "\n"));
    rule.forEach((key, value) -> yaml.append(key + ": " + value + "\n"));
    return yaml.toString();
  }
}
