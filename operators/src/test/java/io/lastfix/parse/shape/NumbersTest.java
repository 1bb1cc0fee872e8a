package io.lastfix.parse.shape;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NumbersTest {
  private static double parse(String text) {
    return Numbers.parse(text.toCharArray(), 0, text.length());
  }

  @Property
  void aDoubleIsReadAsJavaReadsIt(@ForAll double value) {
    assertThat(parse(Double.toString(value).replace('E', 'e'))).isEqualTo(value);
  }

  @Property(tries = 5_000)
  void aTextIsReadAsJavaReadsItOrNotAtAll(
      @ForAll
          @StringLength(max = 20)
          @CharRange(from = '0', to = '9')
          @net.jqwik.api.constraints.Chars({'.', '-', '+', 'e'})
          String text) {
    double value = parse(text);
    if (Double.isNaN(value)) {
      assertThat(text).doesNotMatch("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)(e[-+]?[0-9]+)?");
    } else {
      assertThat(value).isEqualTo(Double.parseDouble(text));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        ".",
        "1d",
        "1f",
        "NaN",
        "Infinity",
        "0x1p3",
        " 1",
        "1 ",
        "1e",
        "1e+",
        "1,5",
        "\u0661"
      })
  void whatOnlyJavaReadsIsNoNumber(String text) {
    assertThat(parse(text)).isNaN();
  }
}
