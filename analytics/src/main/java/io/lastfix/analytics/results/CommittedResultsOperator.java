package io.lastfix.analytics.results;

import io.lastfix.store.timeline.StoredResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.bson.BsonDocument;

/**
 * Hands a result on when a checkpoint that contains it has completed.
 *
 * <p>A result can be refuted later, and is deleted then. After a failure the job reads its records
 * again, with other watermarks and in another order over partitions. It need not come to a result
 * that was refuted before, so it would not delete it. What only an attempt that failed has computed
 * is therefore never stored.
 *
 * <p>Of the results of one {@code _id} the last one is forwarded. After a restore all that the
 * checkpoint holds are forwarded again, before any other: a sink that flushes at each checkpoint
 * writes the results of one {@code _id} in their order, also with another parallelism.
 *
 * <p><b>State:</b> the results since the last completed checkpoint.
 *
 * @param <T> the results
 */
public final class CommittedResultsOperator<T extends StoredResult>
    extends AbstractStreamOperator<T> implements OneInputStreamOperator<T, T>, BoundedOneInput {
  private final TypeInformation<T> type;

  /** Since the last checkpoint began. */
  private transient Map<BsonDocument, T> current;

  /** Those of each checkpoint that has not completed, so far as is known. */
  private transient NavigableMap<Long, Map<BsonDocument, T>> pending;

  private transient List<T> restored;
  private transient ListState<T> state;

  /**
   * @param type of the results
   */
  public CommittedResultsOperator(TypeInformation<T> type) {
    this.type = type;
    chainingStrategy = ChainingStrategy.ALWAYS;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context.getOperatorStateStore().getListState(new ListStateDescriptor<>("results", type));
    current = new HashMap<>();
    pending = new TreeMap<>();
    restored = new ArrayList<>();
    if (context.isRestored()) {
      state.get().forEach(restored::add);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    restored.forEach(this::forward);
    restored.clear();
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    T result = element.getValue();
    current.put(result.id(), result);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    pending.put(context.getCheckpointId(), current);
    current = new HashMap<>();
    state.update(List.copyOf(newest(pending).values()));
  }

  /** Flink does not report each one: it contains those before. */
  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    NavigableMap<Long, Map<BsonDocument, T>> completed = pending.headMap(checkpointId, true);
    newest(completed).values().forEach(this::forward);
    completed.clear();
  }

  /** No record follows that could refute a result. */
  @Override
  public void endInput() {
    pending.put(Long.MAX_VALUE, current);
    newest(pending).values().forEach(this::forward);
    pending.clear();
    current = new HashMap<>();
  }

  private static <T> Map<BsonDocument, T> newest(
      NavigableMap<Long, Map<BsonDocument, T>> checkpoints) {
    Map<BsonDocument, T> newest = new LinkedHashMap<>();
    checkpoints.values().forEach(newest::putAll);
    return newest;
  }

  private void forward(T result) {
    output.collect(new StreamRecord<>(result));
  }
}
