package io.lastfix.rules.rule;

import io.lastfix.expressions.ExpressionException;
import io.lastfix.rules.text.TextException;
import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A text of YAML with the places of its values. It reads values where a rule may have them, and no
 * others, so neither anchors nor depth can make it read without end.
 */
final class YamlText {
  private static final Pattern LINE_BREAK = Pattern.compile("\r\n|[\r\n]");

  /** Another one may have any length, and characters that a terminal obeys. */
  private static final Pattern SHOWN_KEY = Pattern.compile("[\\w.-]{1,40}");

  private static final int MAX_DEPTH = 10;

  private final String[] lines;
  private final Node root;

  /**
   * Parses a text.
   *
   * @param maxLength in code points
   */
  YamlText(String text, int maxLength) throws TextException {
    int length = text.codePointCount(0, text.length());
    if (length > maxLength) {
      throw new TextException(
          1, 1, "expected at most %d characters, found %d".formatted(maxLength, length));
    }
    lines = LINE_BREAK.split(text, -1);
    LoaderOptions options = new LoaderOptions();
    options.setNestingDepthLimit(MAX_DEPTH);
    Node node;
    try {
      node = new Yaml(options).compose(new StringReader(text));
    } catch (MarkedYAMLException e) {
      throw at(e.getProblemMark(), "expected YAML: " + e.getProblem());
    } catch (YAMLException e) {
      throw at((Mark) null, "expected YAML: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      // The scanner does not check each number that it parses. The message quotes the text.
      throw at((Mark) null, "expected YAML, found a number that is too large or of other digits");
    }
    if (node == null) {
      throw at((Mark) null, "expected a rule, found an empty text");
    }
    root = node;
  }

  Node root() {
    return root;
  }

  private static TextException at(@Nullable Mark mark, String message) {
    return mark == null
        ? new TextException(1, 1, message)
        : new TextException(mark.getLine() + 1, mark.getColumn() + 1, message);
  }

  static TextException at(Node node, String message) {
    return at(node.getStartMark(), message);
  }

  /** Returns the place of an expression's error in the text, or the expression's, if unknown. */
  TextException at(Node node, ExpressionException failure) {
    String message = String.valueOf(failure.getMessage());
    Mark start = node.getStartMark();
    if (!(node instanceof ScalarNode scalar)) {
      return at(node, message);
    }
    if (scalar.getScalarStyle() == ScalarStyle.LITERAL) {
      // The mark is that of the sign in front of the first line.
      int first = start.getLine() + 1;
      return new TextException(
          first + failure.line(), indentation(first) + failure.column(), message);
    }
    int quote = scalar.isPlain() ? 0 : 1;
    int length = scalar.getValue().codePointCount(0, scalar.getValue().length());
    Mark end = node.getEndMark();
    boolean isAsWritten =
        start.getLine() == end.getLine()
            && end.getColumn() - start.getColumn() == length + 2 * quote;
    return isAsWritten
        ? new TextException(
            start.getLine() + 1, start.getColumn() + quote + failure.column(), message)
        : at(node, message);
  }

  /** Returns the blanks in front of the first line with a text, from that line on. */
  private int indentation(int from) {
    for (int line = from; line < lines.length; line++) {
      if (!lines[line].isBlank()) {
        return lines[line].length() - lines[line].stripLeading().length();
      }
    }
    return 0;
  }

  /** Returns the values of a mapping, whose keys are among those. */
  static Map<String, Node> mapping(Node node, Set<String> keys) throws TextException {
    String expected = "expected a mapping of " + String.join(", ", new TreeSet<>(keys));
    if (!(node instanceof MappingNode mapping)) {
      throw at(node, expected);
    }
    Map<String, Node> values = new HashMap<>();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw at(entry.getKeyNode(), expected);
      }
      if (!keys.contains(key.getValue())) {
        boolean isShown = SHOWN_KEY.matcher(key.getValue()).matches();
        throw at(key, isShown ? expected + ", found the key " + key.getValue() : expected);
      }
      if (values.put(key.getValue(), entry.getValueNode()) != null) {
        throw at(key, "expected each key once, found %s again".formatted(key.getValue()));
      }
    }
    return values;
  }

  /** Returns a text that is not empty. */
  static String text(Node node) throws TextException {
    if (!(node instanceof ScalarNode scalar)
        || scalar.getTag().equals(Tag.NULL)
        || scalar.getValue().isEmpty()) {
      throw at(node, "expected a text");
    }
    return scalar.getValue();
  }

  /** Returns the elements of a list of so many elements. */
  static List<Node> list(Node node, int fewest, int most) throws TextException {
    if (!(node instanceof SequenceNode sequence)
        || sequence.getValue().size() < fewest
        || sequence.getValue().size() > most) {
      throw at(node, "expected a list of %d to %d elements".formatted(fewest, most));
    }
    return sequence.getValue();
  }
}
