package io.lastfix.jobs.kafka;

import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * Emits no record before {@link CatalogSignal#LOADED} has arrived, at each start and after each
 * restore. Until then it reports that nothing is available: barriers pass, and checkpoints
 * complete. Meanwhile it reads from Kafka until its queue is full.
 *
 * <p>Flink calls it on the task's thread, as every reader. The metric {@code waitsForCatalog} is 1
 * until the signal arrives, then 0.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class StartAfterCatalogReader<T, S extends SourceSplit> extends ForwardingReader<T, S> {
  /** The name of the metric. */
  static final String METRIC = "waitsForCatalog";

  private final SourceReaderContext context;
  private final CompletableFuture<Void> loaded = new CompletableFuture<>();

  StartAfterCatalogReader(SourceReader<T, S> reader, SourceReaderContext context) {
    super(reader);
    this.context = context;
    context.metricGroup().gauge(METRIC, () -> loaded.isDone() ? 0 : 1);
  }

  @Override
  public void start() {
    super.start();
    context.sendSourceEventToCoordinator(CatalogSignal.AWAITED);
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    return loaded.isDone() ? super.pollNext(output) : InputStatus.NOTHING_AVAILABLE;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return loaded.isDone() ? super.isAvailable() : loaded;
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event == CatalogSignal.LOADED) {
      loaded.complete(null);
    } else {
      super.handleSourceEvents(event);
    }
  }

  /** The events about the catalogue between a reader of location records and its enumerator. */
  enum CatalogSignal implements SourceEvent {
    /** From the reader: it has started, and emits nothing until the answer. */
    AWAITED,
    /** From the enumerator: the reader may emit records. */
    LOADED
  }
}
