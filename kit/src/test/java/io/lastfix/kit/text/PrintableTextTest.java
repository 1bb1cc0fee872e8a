package io.lastfix.kit.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {
  @Test
  void harmfulCharactersAreCodes() {
    assertThat(PrintableText.of("a\u001b[2J\nb\u009bc\u202ed\u2028e"))
        .isEqualTo("a\\u001b[2J\\u000ab\\u009bc\\u202ed\\u2028e");
    assertThat(PrintableText.of("é $x")).isEqualTo("é $x");
  }

  @Test
  void aLongTextIsShortened() {
    assertThat(PrintableText.of("abcd", 4)).isEqualTo("abcd");
    assertThat(PrintableText.of("ab\ncd", 3)).isEqualTo("ab\\u000a...");
  }
}
