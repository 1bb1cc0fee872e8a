package io.lastfix.jobs.kafka.connector;

import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.jspecify.annotations.Nullable;

/** An enumerator that forwards all calls to another one; a subclass overrides some. */
public abstract class ForwardingEnumerator<S extends SourceSplit, C>
    implements SplitEnumerator<S, C> {
  private final SplitEnumerator<S, C> enumerator;

  /** Forwards to that one. */
  protected ForwardingEnumerator(SplitEnumerator<S, C> enumerator) {
    this.enumerator = enumerator;
  }

  @Override
  public void start() {
    enumerator.start();
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    enumerator.handleSplitRequest(subtask, host);
  }

  @Override
  public void addSplitsBack(List<S> splits, int subtask) {
    enumerator.addSplitsBack(splits, subtask);
  }

  @Override
  public void addReader(int subtask) {
    enumerator.addReader(subtask);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    enumerator.handleSourceEvent(subtask, event);
  }

  @Override
  public C snapshotState(long checkpointId) throws Exception {
    return enumerator.snapshotState(checkpointId);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    enumerator.notifyCheckpointComplete(checkpointId);
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    enumerator.notifyCheckpointAborted(checkpointId);
  }

  @Override
  public void close() throws IOException {
    enumerator.close();
  }
}
