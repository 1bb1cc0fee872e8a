package io.lastfix.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerImageTest {
  @Test
  void aPropertyOverridesTheVariableAndTheVariableThePinnedName() {
    assertThat(ServerImage.MONGO.name(name -> "property", name -> "variable"))
        .isEqualTo("property");
    assertThat(ServerImage.MONGO.name(name -> null, name -> "variable")).isEqualTo("variable");
    assertThat(ServerImage.MONGO.name(name -> " ", name -> "")).matches("mongo:\\d.*");
  }

  @Test
  void eachIsLookedUpUnderItsOwnNames() {
    assertThat(
            ServerImage.KAFKA.name(
                name -> name.equals("lastfix.image.kafka") ? "p" : null, name -> null))
        .isEqualTo("p");
    assertThat(
            ServerImage.FLINK.name(
                name -> null, name -> name.equals("LASTFIX_FLINK_IMAGE") ? "v" : null))
        .isEqualTo("v");
  }
}
