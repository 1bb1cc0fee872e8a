package io.lastfix.parse.fast;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.parse.Messages;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.reader.PathTree;
import io.lastfix.parse.reader.RecordFields;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is collected of a record that is read the plain way, field by field. */
class PlainJsonTest {
  /** Two texts of this length leave no room for a number in what the fields have at first. */
  private static final int LONG_TEXT = 250;

  private final PathTree tree = new PathTree();
  private final int first = tree.slot(FieldPath.parse("first"));
  private final int second = tree.slot(FieldPath.parse("second"));
  private final int third = tree.slot(FieldPath.parse("third"));
  private final RecordFields fields = new RecordFields(tree, 256);
  private final PlainJson json = new PlainJson(tree.root(), fields, 5);

  @Test
  void aNumberIsKeptAsOneUntilItsTextIsAskedFor() {
    read("{\"first\":0,\"second\":1795176001001,\"third\":999999999999999999}");

    assertThat(fields.isNumber(second)).isTrue();
    assertThat(fields.number(second)).isEqualTo(1_795_176_001_001L);

    assertThat(text(first)).isEqualTo("0");
    assertThat(text(second)).isEqualTo("1795176001001");
    assertThat(text(third)).isEqualTo("999999999999999999");
    assertThat(fields.isNumber(second)).as("still a number").isFalse();
    assertThat(text(second)).as("asked for again").isEqualTo("1795176001001");
  }

  @Test
  void aNumberIsSpelledBehindTextsThatLeaveNoRoomForIt() {
    String long1 = "a".repeat(LONG_TEXT);
    String long2 = "b".repeat(LONG_TEXT);
    read(
        "{\"first\":\"%s\",\"second\":\"%s\",\"third\":123456789012345678}"
            .formatted(long1, long2));

    assertThat(text(third)).isEqualTo("123456789012345678");
    assertThat(text(first)).isEqualTo(long1);
    assertThat(text(second)).isEqualTo(long2);
  }

  @Test
  void whatWasANumberInOneRecordIsATextOrMissingInTheNext() {
    read("{\"first\":7,\"second\":8,\"third\":9}");
    read("{\"first\":\"x\",\"third\":10}");

    assertThat(fields.isNumber(first)).isFalse();
    assertThat(text(first)).isEqualTo("x");
    assertThat(fields.has(second)).isFalse();
    assertThat(text(third)).isEqualTo("10");
  }

  @Test
  void whatIsNoWholeNumberOfEighteenDigitsIsLeftToTheLibrary() {
    for (String value : new String[] {"1234567890123456789", "01", "1.5", "-1", "1e3", "null"}) {
      byte[] record = Messages.utf8("{\"first\":" + value + "}");
      assertThat(json.readRecord(record, 0, 0)).as(value).isEqualTo(PlainJson.NOT_PLAIN);
    }
  }

  @Test
  void aWholeNumberStaysOneInAFieldThatAcceptsFractions() {
    tree.node(List.of("first")).acceptFraction();
    read("{\"first\":1795176001001}");
    assertThat(fields.isNumber(first)).isTrue();
    assertThat(fields.number(first)).isEqualTo(1_795_176_001_001L);

    for (String value : new String[] {"1.5", "-1", "-0.5", "0.0", "1234567890123456789"}) {
      read("{\"first\":" + value + "}");
      assertThat(fields.isNumber(first)).as(value).isFalse();
      assertThat(text(first)).isEqualTo(value);
    }
    for (String value : new String[] {"01", "00.5", "1.", ".5", "-", "1e3", "null"}) {
      byte[] record = Messages.utf8("{\"first\":" + value + "}");
      assertThat(json.readRecord(record, 0, 0)).as(value).isEqualTo(PlainJson.NOT_PLAIN);
    }
  }

  private void read(String record) {
    assertThat(json.readRecord(Messages.utf8(record), 0, 0)).isEqualTo(record.length());
    assertThat(fields.failure()).isNull();
  }

  private String text(int slot) {
    char[] text = fields.text(slot);
    return new String(text, fields.start(slot), fields.end(slot) - fields.start(slot));
  }
}
