package io.lastfix.jobs.kafka.catalog;

import io.lastfix.jobs.kafka.connector.ForwardingEnumerator;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;

/** Records in {@link CatalogProgress} what the readers of the catalogue report. */
final class CatalogProgressEnumerator<S extends SourceSplit, C> extends ForwardingEnumerator<S, C> {
  private final CatalogProgress progress;

  /**
   * Wraps that enumerator.
   *
   * @param progress is closed with this enumerator
   */
  CatalogProgressEnumerator(SplitEnumerator<S, C> enumerator, CatalogProgress progress) {
    super(enumerator);
    this.progress = progress;
  }

  @Override
  public void start() {
    progress.clear();
    super.start();
  }

  /** Flink calls it for each subtask that is reset to a checkpoint, even if it has no splits. */
  @Override
  public void addSplitsBack(List<S> splits, int subtask) {
    progress.forget(subtask);
    super.addSplitsBack(splits, subtask);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event instanceof CatalogPositions positions) {
      progress.report(subtask, positions);
    } else {
      super.handleSourceEvent(subtask, event);
    }
  }

  @Override
  public void close() throws IOException {
    try (progress) {
      super.close();
    }
  }
}
