package io.lastfix.parse.profile;

import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The path of a value inside a record: names joined by {@code /}, as in {@code cell/mcc}. The last
 * name may be an attribute, as in {@code pd/time/@utc_off}. An attribute alone, {@code @id},
 * belongs to the record's own element.
 *
 * @param elements names of elements or of object members, without prefixes, from the record inwards
 * @param attribute name of an attribute of the last element; null: the element's own text
 */
public record FieldPath(List<String> elements, @Nullable String attribute) implements Serializable {
  private static final Pattern NAME = Pattern.compile("[^/@\\s:]+");

  public FieldPath {
    elements = List.copyOf(elements);
  }

  /**
   * Parses the written form.
   *
   * @throws IllegalArgumentException if the path is invalid; the message gives the reason
   */
  public static FieldPath parse(String text) {
    String[] steps = text.split("/", -1);
    String last = steps[steps.length - 1];
    boolean toAttribute = last.startsWith("@");
    List<String> elements = List.of(steps).subList(0, steps.length - (toAttribute ? 1 : 0));
    @Nullable String attribute = toAttribute ? last.substring(1) : null;
    if (!elements.stream().allMatch(FieldPath::isName)
        || (attribute != null && !isName(attribute))) {
      throw new IllegalArgumentException(
          "expected names joined by '/', without prefixes, the last perhaps an '@attribute', found '"
              + text
              + "'");
    }
    return new FieldPath(elements, attribute);
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  @Override
  public String toString() {
    String path = String.join("/", elements);
    if (attribute == null) {
      return path;
    }
    return path.isEmpty() ? "@" + attribute : path + "/@" + attribute;
  }
}
