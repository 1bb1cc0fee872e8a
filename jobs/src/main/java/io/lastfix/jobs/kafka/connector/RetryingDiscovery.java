package io.lastfix.jobs.kafka.connector;

import io.lastfix.kit.failure.RootCause;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context that the connector's enumerator calls. If a broker does not answer the query for new
 * partitions, the job does not fail, and the query is repeated after the connector's interval. The
 * readers survive such an outage themselves; without this class, the enumerator would restart the
 * job after each {@code default.api.timeout.ms} of Kafka (a minute).
 *
 * <p>If {@code partition.discovery.interval.ms} turns discovery off, the query is sent only once,
 * and its failure still fails the job.
 */
final class RetryingDiscovery implements SplitEnumeratorContext<KafkaPartitionSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingDiscovery.class);

  private final SplitEnumeratorContext<KafkaPartitionSplit> context;

  // Both threads of the coordinator access it: it is set on one before the query runs on the other.
  private volatile boolean isRepeated;

  RetryingDiscovery(SplitEnumeratorContext<KafkaPartitionSplit> context) {
    this.context = context;
  }

  @Override
  public <T> void callAsync(
      Callable<T> query, BiConsumer<T, Throwable> handler, long delayMillis, long everyMillis) {
    isRepeated = true;
    context.callAsync(query, retrying(handler), delayMillis, everyMillis);
  }

  @Override
  public <T> void callAsync(Callable<T> query, BiConsumer<T, Throwable> handler) {
    context.callAsync(query, retrying(handler));
  }

  private <T> BiConsumer<T, Throwable> retrying(BiConsumer<T, Throwable> handler) {
    return (answer, failure) -> {
      if (isRepeated && isUnanswered(failure)) {
        LOG.warn(
            "Kafka did not answer the query for new partitions; the job retries: {}",
            RootCause.of(failure).toString());
      } else {
        handler.accept(answer, failure);
      }
    };
  }

  private static boolean isUnanswered(Throwable failure) {
    return ExceptionUtils.findThrowable(failure, TimeoutException.class).isPresent()
        || ExceptionUtils.findThrowable(failure, DisconnectException.class).isPresent();
  }

  @Override
  public SplitEnumeratorMetricGroup metricGroup() {
    return context.metricGroup();
  }

  @Override
  public void sendEventToSourceReader(int subtask, SourceEvent event) {
    context.sendEventToSourceReader(subtask, event);
  }

  @Override
  public void sendEventToSourceReader(int subtask, int attempt, SourceEvent event) {
    context.sendEventToSourceReader(subtask, attempt, event);
  }

  @Override
  public int currentParallelism() {
    return context.currentParallelism();
  }

  @Override
  public Map<Integer, ReaderInfo> registeredReaders() {
    return context.registeredReaders();
  }

  @Override
  public Map<Integer, Map<Integer, ReaderInfo>> registeredReadersOfAttempts() {
    return context.registeredReadersOfAttempts();
  }

  @Override
  public void assignSplits(SplitsAssignment<KafkaPartitionSplit> assignment) {
    context.assignSplits(assignment);
  }

  @Override
  public void signalNoMoreSplits(int subtask) {
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void runInCoordinatorThread(Runnable action) {
    context.runInCoordinatorThread(action);
  }

  @Override
  public void setIsProcessingBacklog(boolean isProcessingBacklog) {
    context.setIsProcessingBacklog(isProcessingBacklog);
  }
}
