package io.lastfix.store.history;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import io.lastfix.store.provision.Step;
import io.lastfix.store.provision.UnionViewDescription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of History on a server, and the view over them. Every method blocks, and throws a
 * {@link com.mongodb.MongoException} if the server rejects the command or does not answer.
 */
public final class HistoryPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryPartitions.class);

  /** Time limit after which the server aborts a read of the partitions or their contents. */
  public static final Duration READ_LIMIT = Duration.ofSeconds(60);

  private final MongoDatabase database;
  private final Provisioner provisioner;
  private final HistoryOptions history;

  /** Uses a client that the caller closes. */
  public HistoryPartitions(MongoClient client, String database, HistoryOptions history) {
    this.database = client.getDatabase(database);
    this.provisioner = new Provisioner(client, database);
    this.history = history;
  }

  /** Returns the existing partitions, the oldest first. Locks none of them on the server. */
  public List<HistoryPartition> list() {
    return HistoryPartition.parseAll(history.collectionPrefix(), collections());
  }

  /**
   * Returns the existing partitions, and after them what has the name of a collection of numbers,
   * which are dropped with the partition of their time if {@link #isOwn}. Of both, the oldest come
   * first.
   */
  public List<HistoryPartition> listWithNumbers() {
    List<String> names = collections();
    Stream<HistoryPartition> numbers =
        history.numberPrefixes().stream()
            .flatMap(prefix -> HistoryPartition.parseAll(prefix, names).stream())
            .sorted(HistoryPartition.OLDEST_FIRST);
    return Stream.concat(
            HistoryPartition.parseAll(history.collectionPrefix(), names).stream(), numbers)
        .toList();
  }

  /**
   * Returns whether Lastfix wrote the collection, or it is empty. A collection of another program
   * may have the name of one of numbers or alerts: the first document decides. Without one there is
   * nothing to lose; {@code lastfix analyze} may have removed all.
   *
   * @throws com.mongodb.MongoException also if the user may not read it; code 13
   */
  public boolean isOwn(HistoryPartition partition) {
    if (HistoryPartition.parse(history.collectionPrefix(), partition.collection()).isPresent()) {
      return true;
    }
    BsonDocument first = first(partition);
    return first == null
        || (first.get("_id") instanceof BsonDocument id
            && (id.containsKey("by") || id.containsKey("rule")));
  }

  private List<String> collections() {
    return database
        .listCollectionNames()
        .maxTime(READ_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
        .filter(new BsonDocument("type", new BsonString("collection")))
        .into(new ArrayList<>());
  }

  /**
   * Returns true if the partition has a document. It reads one; the server's estimate can be wrong.
   */
  public boolean hasDocuments(HistoryPartition partition) {
    return first(partition) != null;
  }

  /** Returns the {@code _id} of the first document; null if there is none. */
  private @Nullable BsonDocument first(HistoryPartition partition) {
    return database
        .getCollection(partition.collection(), BsonDocument.class)
        .find()
        .projection(new BsonDocument("_id", new BsonInt32(1)))
        .maxTime(READ_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
        .first();
  }

  /**
   * Creates what is missing of a partition, if the mode allows it.
   *
   * @return the missing steps
   * @throws ProvisionException as {@link Provisioner#ensure}
   */
  public List<Step> ensure(String partition, ProvisionMode mode) throws ProvisionException {
    return provisioner.ensure(
        history.description(partition), mode, creatingCommand(history, partition));
  }

  /**
   * Returns the command that creates a partition. {@code lastfix provision} creates no past
   * partition, which a late record needs.
   */
  public static String creatingCommand(HistoryOptions history, String partition) {
    return HistoryPartition.parse(history.collectionPrefix(), partition)
        .map(it -> "lastfix partitions create --from %s --to %s".formatted(it.start(), it.end()))
        .orElse("lastfix partitions create");
  }

  /**
   * Drops a partition if it exists. The view shows nothing of it from then on; {@link #refreshView}
   * removes it from the view's definition.
   */
  public void drop(HistoryPartition partition) {
    database.getCollection(partition.collection()).drop();
  }

  /** Returns the server's clock; see {@link PartitionExpiry}. */
  public Instant serverTime() {
    return provisioner.serverTime();
  }

  /**
   * Drops the partitions that the retention releases, with the numbers of their time, and updates
   * the view.
   *
   * @param now the time from {@link PartitionExpiry}
   * @param dropped receives each dropped collection
   * @throws ProvisionException if the view cannot be updated, or the user may not read numbers to
   *     see whether they are; then the others are dropped
   */
  public void dropExpired(
      HistoryRetention retention, Instant now, Consumer<HistoryPartition> dropped)
      throws ProvisionException {
    List<String> unread = new ArrayList<>();
    for (HistoryPartition partition : listWithNumbers()) {
      if (retention.isDroppable(partition, now)) {
        Optional<Boolean> isOwn = MongoAccessException.ifAllowed(() -> isOwn(partition));
        if (isOwn.isEmpty()) {
          unread.add(partition.collection());
        } else if (isOwn.get()) {
          drop(partition);
          dropped.accept(partition);
        }
      }
    }
    var unused = refreshView();
    if (!unread.isEmpty()) {
      throw ProvisionException.unread(unread);
    }
  }

  /**
   * Updates the view to the existing partitions. Call it after creating or dropping a partition.
   *
   * @return the applied steps; empty if there was nothing to do or no view is configured
   * @throws ProvisionException if the view's name belongs to something else, or the user lacks a
   *     right
   */
  public List<Step> refreshView() throws ProvisionException {
    Optional<UnionViewDescription> view = history.viewDescription();
    if (view.isEmpty()) {
      return List.of();
    }
    List<Step> done = provisioner.provision(view.get());
    HistoryView.leftOut(history.view(), list().size())
        .ifPresent(
            words ->
                LOG.warn(
                    "Queries through the view do not find records of the oldest partitions: {}",
                    words));
    return done;
  }
}
