package io.lastfix.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndpointsTest {
  private static final String OPTION = "option:1";
  private static final String VARIABLE = "variable:2";
  private static final String LOCAL = "local:3";
  private static final EndpointOverrides GIVEN =
      new EndpointOverrides(Optional.of(OPTION), Optional.of(OPTION), Optional.of(OPTION));
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          EndpointOverrides.MONGO_VARIABLE, VARIABLE,
          EndpointOverrides.KAFKA_VARIABLE, VARIABLE,
          EndpointOverrides.FLINK_VARIABLE, VARIABLE);
  private static final Optional<StackState> RUNNING =
      Optional.of(
          new StackState(
              List.of(), Map.of(), Map.of("mongodb", LOCAL, "kafka", LOCAL, "flink", LOCAL)));

  @Test
  void anOptionComesBeforeTheEnvironmentAndTheLocalStack() {
    assertAll(Endpoints.resolve(GIVEN, ENVIRONMENT, RUNNING), OPTION);
  }

  @Test
  void theEnvironmentComesBeforeTheLocalStack() {
    assertAll(Endpoints.resolve(EndpointOverrides.none(), ENVIRONMENT, RUNNING), VARIABLE);
  }

  @Test
  void theLocalStackIsUsedWhereNothingElseIsSaid() {
    assertAll(Endpoints.resolve(EndpointOverrides.none(), Map.of(), RUNNING), LOCAL);
  }

  @Test
  void aBlankVariableSaysNothing() {
    Map<String, String> blank = Map.of(EndpointOverrides.KAFKA_VARIABLE, " ");

    assertThat(Endpoints.resolve(EndpointOverrides.none(), blank, RUNNING).kafka())
        .isEqualTo(LOCAL);
  }

  @Test
  void aMissingEndpointFailsOnlyWhenAskedForAndSaysWhatToDo() {
    Endpoints endpoints = Endpoints.resolve(EndpointOverrides.none(), Map.of(), Optional.empty());

    assertThatThrownBy(endpoints::mongoUri)
        .isInstanceOf(StackException.class)
        .hasMessageContaining("no local stack is running: run ./lastfix up")
        .hasMessageContaining("--mongo-uri")
        .hasMessageContaining("LASTFIX_MONGO_URI");
  }

  private static void assertAll(Endpoints endpoints, String expected) {
    assertThat(List.of(endpoints.mongoUri(), endpoints.kafka(), endpoints.flink()))
        .containsOnly(expected);
  }
}
