package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

/** The failures of the connector's queries that reach its enumerator, which then fails the job. */
class RetryingDiscoveryTest {
  private final Throwable unanswered = asTheConnector(new TimeoutException("no node"));
  private final Throwable forbidden = asTheConnector(new TopicAuthorizationException("t"));

  private final List<BiConsumer<Object, Throwable>> handlers = new ArrayList<>();
  private final List<String> handled = new ArrayList<>();
  private final RetryingDiscovery context = new RetryingDiscovery(context());

  @Test
  void aBrokerThatDoesNotAnswerIsAskedAgainAndTheNextAnswerCounts() {
    context.callAsync(() -> "", this::handle, 0, 10_000);

    handlers.get(0).accept(null, unanswered);
    assertThat(handled).isEmpty();
    handlers.get(0).accept("partitions", null);

    assertThat(handled).containsExactly("partitions");
  }

  @Test
  void theOffsetsOfNewPartitionsAreAskedForAgainWithTheNextDiscovery() {
    context.callAsync(() -> "", this::handle, 0, 10_000);
    context.callAsync(() -> "", this::handle);

    handlers.get(1).accept(null, unanswered);

    assertThat(handled).isEmpty();
  }

  @Test
  void anotherFailureFailsTheJob() {
    context.callAsync(() -> "", this::handle, 0, 10_000);

    handlers.get(0).accept(null, forbidden);

    assertThat(handled).containsExactly(forbidden.toString());
  }

  @Test
  void whereNobodyAsksAgainNoAnswerFailsTheJob() {
    context.callAsync(() -> "", this::handle);

    handlers.get(0).accept(null, unanswered);

    assertThat(handled).containsExactly(unanswered.toString());
  }

  private void handle(Object answer, Throwable failure) {
    handled.add(String.valueOf(failure == null ? answer : failure));
  }

  private static Throwable asTheConnector(Exception cause) {
    return new RuntimeException("Failed to get metadata", new ExecutionException(cause));
  }

  /** Keeps the asynchronous calls. */
  @SuppressWarnings("unchecked")
  private SplitEnumeratorContext<KafkaPartitionSplit> context() {
    return (SplitEnumeratorContext<KafkaPartitionSplit>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {SplitEnumeratorContext.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("callAsync");
              handlers.add((BiConsumer<Object, Throwable>) arguments[1]);
              return null;
            });
  }
}
