package io.lastfix.privacy;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.connect.Opened;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.MongoErasureList;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * A sink that stores no record of a forgotten user from the moment of the forgetting or before it:
 * not one in flight, not one that is read again, not one that waited in restored state. What comes
 * in and what is stored is decided by (user, time) and the list alone, so a replay decides the
 * same.
 *
 * <p>It stands around the sink and not before it as an operator, since between two operators Flink
 * may put a channel: what an unaligned checkpoint keeps in one would have passed the list of then.
 * RATIONALE.md says more.
 *
 * <p>Metrics: {@link ErasureFilterMetrics}.
 */
public final class ErasureFilterSink implements Sink<LocatedRecord> {
  private final Sink<LocatedRecord> stored;
  private final ErasureListOptions options;
  private final ListOpener opener;

  /** Opens the list for one writer. */
  interface ListOpener extends Serializable {
    ErasureList open(ErasureListOptions options);
  }

  /**
   * Around that sink.
   *
   * @param stored takes what is to be stored; without state and commits of its own
   */
  public ErasureFilterSink(Sink<LocatedRecord> stored, ErasureListOptions options) {
    this(stored, options, MongoErasureList::new);
  }

  /** With a list that is kept elsewhere than in MongoDB. */
  ErasureFilterSink(Sink<LocatedRecord> stored, ErasureListOptions options, ListOpener opener) {
    this.stored = Objects.requireNonNull(stored, "stored");
    this.options = Objects.requireNonNull(options, "options");
    this.opener = opener;
  }

  @Override
  public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) throws IOException {
    ErasureList list = opener.open(options);
    try {
      SinkWriter<LocatedRecord> writer = stored.createWriter(context);
      try {
        return new ErasureFilterWriter(
            writer,
            list,
            options,
            context.getMailboxExecutor(),
            context.metricGroup(),
            "%s-%d-forgotten"
                .formatted(
                    context.getTaskInfo().getTaskName(),
                    context.getTaskInfo().getIndexOfThisSubtask()));
      } catch (Throwable e) {
        Opened.closeAfter(e, writer);
        throw e;
      }
    } catch (Throwable e) {
      Opened.closeAfter(e, list);
      throw e;
    }
  }

  @Override
  @Deprecated // By Flink, which calls the other one; this one must still be there.
  public SinkWriter<LocatedRecord> createWriter(InitContext context) {
    throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
  }
}
