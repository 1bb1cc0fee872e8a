package io.lastfix.kit.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class RootCauseTest {
  @Test
  void theInnermostCauseIsFound() {
    IOException root = new IOException("disk full");

    assertThat(RootCause.of(new IllegalStateException(new UncheckedIOException(root))))
        .isSameAs(root);
    assertThat(RootCause.of(root)).isSameAs(root);
  }

  @Test
  void aCauseWithoutMessageIsNamedByItsClass() {
    assertThat(RootCause.message(new IllegalStateException("outer", new IOException("disk full"))))
        .isEqualTo("disk full");
    assertThat(RootCause.message(new IllegalStateException("outer", new IOException())))
        .isEqualTo("IOException");
  }
}
