package io.lastfix.analytics.area;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.Position;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AreasTest {
  @Test
  void theCentreOfAnAreaIsInIt() {
    String token = Areas.token(new Position(-122.4194, 37.7749), 13);
    Position center = Areas.center(token);

    assertThat(center).isNotNull();
    assertThat(Areas.token(center, 13)).isEqualTo(token);
    assertThat(center.lon()).isBetween(-122.44, -122.40);
    assertThat(center.lat()).isBetween(37.75, 37.80);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "", "all", "310-260-7-1", "X", "0", "80858085808580858085"})
  void whatIsNoTokenHasNoCentre(String text) {
    assertThat(Areas.center(text)).isNull();
  }
}
