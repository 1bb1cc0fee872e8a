package io.lastfix.kit.poll;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TroubleTest {
  private final Trouble trouble = new Trouble();

  @Test
  void aProblemIsNewOnlyTheFirstTime() {
    assertThat(trouble.isThere()).isFalse();
    assertThat(trouble.isNew("away")).isTrue();
    assertThat(trouble.isNew("away")).isFalse();
    assertThat(trouble.isThere()).isTrue();
    assertThat(trouble.isNew("full")).isTrue();
  }

  @Test
  void afterATimeWithoutItAProblemIsNewAgain() {
    var unused = trouble.isNew("away");

    trouble.end();

    assertThat(trouble.isThere()).isFalse();
    assertThat(trouble.isNew("away")).isTrue();
  }
}
