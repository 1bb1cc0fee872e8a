package io.lastfix.parse.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.parse.profile.FieldPath;
import org.junit.jupiter.api.Test;

/** How a record keeps the text of each field. */
class RecordFieldsTest {
  private final PathTree tree = new PathTree();
  private final int first = tree.slot(FieldPath.parse("first"));
  private final int second = tree.slot(FieldPath.parse("second"));
  private final int third = tree.slot(FieldPath.parse("third"));
  private final RecordFields fields = new RecordFields(tree, 256);

  /** Together they are longer than the first buffer. */
  @Test
  void longTextsStayWhole() {
    fields.clear();
    fields.set(first, "a".repeat(250));
    fields.set(second, "b".repeat(250));
    fields.set(third, "123456789012345678");

    assertThat(text(third)).isEqualTo("123456789012345678");
    assertThat(text(first)).isEqualTo("a".repeat(250));
    assertThat(text(second)).isEqualTo("b".repeat(250));
  }

  @Test
  void whatOneRecordHasIsMissingInTheNext() {
    fields.clear();
    fields.set(first, "7");
    fields.set(second, "8");
    fields.clear();
    fields.set(first, " x ");

    assertThat(text(first)).isEqualTo("x");
    assertThat(fields.has(second)).isFalse();
  }

  private String text(int slot) {
    return new String(fields.text(), fields.start(slot), fields.end(slot) - fields.start(slot));
  }
}
