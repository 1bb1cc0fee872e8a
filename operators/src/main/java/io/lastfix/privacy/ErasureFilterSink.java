package io.lastfix.privacy;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.Presence;
import io.lastfix.sink.WriterSink;
import io.lastfix.store.connect.Resources;
import io.lastfix.store.erasure.ErasedUsers;
import io.lastfix.store.erasure.ErasureList;
import io.lastfix.store.erasure.ErasureListCollection;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.UserHash;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.TripChange;
import java.io.IOException;
import java.io.Serializable;
import java.security.MessageDigest;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Decorates a sink so that it stores no record of an erased user up to the user's last erased
 * timestamp. This includes records in flight, replayed records and records that waited in restored
 * state. The decision depends only on (user, timestamp) and the list, so a replay decides in the
 * same way.
 *
 * <p>It wraps the sink instead of being an operator before it, since Flink may put a channel
 * between two operators. A record that an unaligned checkpoint keeps in that channel would have
 * passed an older list.
 *
 * <p>Metrics: {@link ErasureFilterWriter}.
 */
public final class ErasureFilterSink<T> implements WriterSink<T> {
  /** Of records. */
  public static final Subject<LocatedRecord> RECORD =
      (record, erased, sha256) ->
          erased.covers(UserHash.of(sha256, record.user()), record.timestampMillis());

  /**
   * Of presences, whose user is the device. The earliest time in it counts as the timestamp, so
   * none reveals what is erased: neither since when a device is online, nor its description.
   */
  public static final Subject<Presence> PRESENCE =
      (presence, erased, sha256) ->
          erased.covers(
              UserHash.of(sha256, presence.device()),
              Math.min(presence.sinceMillis(), presence.seenMillis()));

  /** Of stays. The begin counts as the timestamp, so none reveals a time that is erased. */
  public static final Subject<StayChange> STAY =
      (change, erased, sha256) ->
          erased.covers(UserHash.of(sha256, change.user()), change.stay().beginMillis());

  /** Of alerts. The record that began it counts, whenever it was confirmed. */
  public static final Subject<Alert> ALERT =
      (alert, erased, sha256) -> erased.covers(UserHash.of(sha256, alert.user()), alert.atMillis());

  private final Sink<T> stored;
  private final Subject<T> subject;
  private final ErasureListOptions options;
  private final ListOpener opener;

  /** Reads a value's user and timestamp; it travels with the job. */
  public interface Subject<T> extends Serializable {
    /**
     * Returns true if the value must not be stored.
     *
     * @param sha256 of the caller's thread
     */
    boolean isErased(T value, ErasedUsers erased, MessageDigest sha256);
  }

  /**
   * Of trips. A trip begins with the first record after a stay, and names the place of the stay: it
   * counts as old as that stay's last record can be.
   *
   * @param absenceMillis the longest time between two records of a visit
   */
  public static Subject<TripChange> trip(long absenceMillis) {
    return (change, erased, sha256) ->
        erased.covers(
            UserHash.of(sha256, change.user()), change.trip().beginMillis() - absenceMillis);
  }

  /** Opens the list for one writer. */
  interface ListOpener extends Serializable {
    ErasureList open(ErasureListOptions options);
  }

  /**
   * Decorates a sink.
   *
   * @param stored receives the values to store; has no state and no commits that matter
   */
  public ErasureFilterSink(Sink<T> stored, Subject<T> subject, ErasureListOptions options) {
    this(stored, subject, options, ErasureListCollection::open);
  }

  /** Decorates a sink, with another source of the list than MongoDB. */
  ErasureFilterSink(
      Sink<T> stored, Subject<T> subject, ErasureListOptions options, ListOpener opener) {
    this.subject = subject;
    this.stored = stored;
    this.options = options;
    this.opener = opener;
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) throws IOException {
    ErasureList list = opener.open(options);
    try {
      SinkWriter<T> writer = stored.createWriter(context);
      try {
        return new ErasureFilterWriter<>(
            writer,
            subject,
            list,
            options,
            context.getMailboxExecutor(),
            context.metricGroup(),
            "%s-%d-forgotten"
                .formatted(
                    context.getTaskInfo().getTaskName(),
                    context.getTaskInfo().getIndexOfThisSubtask()));
      } catch (Throwable e) {
        Resources.closeAfter(e, writer);
        throw e;
      }
    } catch (Throwable e) {
      Resources.closeAfter(e, list);
      throw e;
    }
  }
}
