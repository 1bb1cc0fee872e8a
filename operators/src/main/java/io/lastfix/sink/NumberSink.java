package io.lastfix.sink;

import com.mongodb.client.model.WriteModel;
import io.lastfix.model.alert.Alert;
import io.lastfix.store.alerts.AlertConverter;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.WindowCount;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import io.lastfix.store.timeline.ResultConverter;
import io.lastfix.store.timeline.StoredResult;
import java.io.Serializable;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the newest value of each number, or the first of each alert, in one collection for each
 * period. See {@link WindowCount}, the kinds of {@link StoredResult} and {@link AlertConverter} for
 * the documents, {@link BulkSinkMetrics} for the metrics.
 */
public final class NumberSink<T> implements WriterSink<T> {
  private final Server server;
  private final NumberCollections collections;
  private final NumberBatching<T> batching;
  private final Converter<T> converter;
  private final boolean requiresPast;

  /**
   * Where the numbers go.
   *
   * @param provision whether the sink creates the collections
   * @param retention after which the collections may have been dropped; null: not known
   */
  public record Server(
      MongoOptions mongo,
      BulkOptions bulks,
      ProvisionMode provision,
      @Nullable HistoryRetention retention)
      implements Serializable {}

  private interface Converter<T> extends Function<T, WriteModel<BsonDocument>>, Serializable {}

  private NumberSink(
      Server server,
      NumberCollections collections,
      NumberBatching<T> batching,
      Converter<T> converter,
      boolean requiresPast) {
    this.server = server;
    this.collections = collections;
    this.batching = batching;
    this.converter = converter;
    this.requiresPast = requiresPast;
  }

  /** Writes counts. */
  public static NumberSink<WindowCount> ofCounts(Server server, NumberCollections collections) {
    return new NumberSink<>(
        server, collections, new WindowCountBatching(collections), WindowCount::toUpsert, true);
  }

  /** Writes results of which the last one of an {@code _id} wins. */
  public static <T extends StoredResult> NumberSink<T> ofResults(
      Server server, NumberCollections collections, ResultConverter converter) {
    return new NumberSink<>(
        server, collections, new ResultBatching<>(collections), converter::apply, true);
  }

  /**
   * Writes alerts that are not stored yet. One may be of a past period that has no collection of
   * alerts, and {@code lastfix provision} does not create that. A job that may not create it either
   * must not fail: the insert creates it.
   */
  public static NumberSink<Alert> ofAlerts(Server server, NumberCollections collections) {
    return new NumberSink<>(
        server,
        collections,
        new AlertBatching(collections),
        AlertConverter::upsert,
        server.provision() != ProvisionMode.CHECK);
  }

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    MongoOptions mongo = server.mongo();
    BulkOptions bulks = server.bulks();
    var client = MongoClientFactory.createForSinks(mongo, MongoSinks.connections(bulks));
    Provisioner provisioner = new Provisioner(client, mongo.database());
    return MongoSinks.writer(
        context,
        batching,
        new MongoBulkServer<>(
            client,
            client.getDatabase(mongo.database()),
            preparation(
                description -> provisioner.ensure(description, server.provision()),
                InstantSource.system()),
            converter,
            MongoBulkServer.DuplicateKeys.LOST_A_RACE,
            number -> List.of(),
            bulks.retryTimeout()),
        bulks);
  }

  /** Returns what prepares the collections. */
  NumberProvisioner preparation(NumberProvisioner.Target target, InstantSource clock) {
    return new NumberProvisioner(collections, target, requiresPast, server.retention(), clock);
  }

  /** The batching of a {@link NumberSink}, which travels with the job. */
  interface NumberBatching<T> extends RecordBatching<T>, Serializable {}

  /** Each group of a window has at most one waiting write: the newest number. */
  record WindowCountBatching(NumberCollections counts) implements NumberBatching<WindowCount> {
    /** Operators, field names, lengths, numbers and dates. */
    private static final int MAX_BYTES_WITHOUT_KEY = 192;

    /** Chars with up to three bytes in UTF-8. */
    private static final int BYTES_PER_CHAR = 3;

    @Override
    public String collection(WindowCount count) {
      return counts.collectionAt(count.windowMillis());
    }

    @Override
    public int maxEncodedBytes(WindowCount count) {
      return MAX_BYTES_WITHOUT_KEY + BYTES_PER_CHAR * count.key().length();
    }

    @Override
    public Object coalescingKey(WindowCount count) {
      return count.id();
    }

    /** The numbers of a group come in their order, from one subtask. */
    @Override
    public boolean supersedes(WindowCount count, WindowCount other) {
      return count.rev() >= other.rev();
    }
  }

  /** Each document has at most one waiting write: the newest result. */
  record ResultBatching<T extends StoredResult>(NumberCollections collections)
      implements NumberBatching<T> {
    @Override
    public String collection(T result) {
      return collections.collectionAt(result.timeMillis());
    }

    @Override
    public int maxEncodedBytes(T result) {
      return ResultConverter.maxEncodedBytes(result);
    }

    @Override
    public BsonDocument coalescingKey(T result) {
      return result.id();
    }

    /** The results of one document come in their order, from one subtask. */
    @Override
    public boolean supersedes(T result, T other) {
      return true;
    }

    /**
     * Numbers fall, and documents are deleted: an older write that is sent again would bring back.
     */
    @Override
    public boolean needsOrder() {
      return true;
    }
  }

  /** Each alert has at most one waiting write: as on the server, the first one wins. */
  record AlertBatching(NumberCollections collections) implements NumberBatching<Alert> {
    @Override
    public String collection(Alert alert) {
      return collections.collectionAt(alert.atMillis());
    }

    @Override
    public int maxEncodedBytes(Alert alert) {
      return AlertConverter.maxEncodedBytes(alert);
    }

    @Override
    public BsonDocument coalescingKey(Alert alert) {
      return AlertConverter.id(alert);
    }
  }
}
