package io.lastfix.store.history;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
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
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of History on a server, and the view over them. Every method blocks, and throws a
 * {@link com.mongodb.MongoException} if the server refuses or does not answer.
 */
public final class HistoryPartitions {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryPartitions.class);

  /** After this the server gives up a read of what is there, or of what it holds. */
  public static final Duration READ_LIMIT = Duration.ofSeconds(60);

  private final MongoDatabase database;
  private final Provisioner provisioner;
  private final HistoryOptions history;

  /** Over a client that the caller closes. */
  public HistoryPartitions(MongoClient client, String database, HistoryOptions history) {
    this.database = client.getDatabase(database);
    this.provisioner = new Provisioner(client, database);
    this.history = history;
  }

  /** Those that are there, the oldest first. Locks none of them on the server. */
  public List<HistoryPartition> list() {
    List<String> names =
        database
            .listCollectionNames()
            .maxTime(READ_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
            .filter(new BsonDocument("type", new BsonString("collection")))
            .into(new ArrayList<>());
    return names.stream()
        .map(name -> HistoryPartition.parse(history.collectionPrefix(), name))
        .flatMap(Optional::stream)
        .sorted(HistoryPartition.OLDEST_FIRST)
        .toList();
  }

  /** Whether one has any document: read, not the server's estimate. */
  public boolean hasDocuments(HistoryPartition partition) {
    return database
            .getCollection(partition.collection(), BsonDocument.class)
            .find()
            .projection(new BsonDocument("_id", new BsonInt32(1)))
            .maxTime(READ_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
            .first()
        != null;
  }

  /**
   * Makes what is missing of one, if the mode says so.
   *
   * @return what was missing
   * @throws ProvisionException as {@link Provisioner#ensure}
   */
  public List<Step> ensure(String partition, ProvisionMode mode) throws ProvisionException {
    return provisioner.ensure(
        history.description(partition), mode, commandThatMakes(history, partition));
  }

  /** {@code lastfix provision} makes no partition that is over, which a late record needs. */
  public static String commandThatMakes(HistoryOptions history, String partition) {
    return HistoryPartition.parse(history.collectionPrefix(), partition)
        .map(it -> "lastfix partitions create --from %s --to %s".formatted(it.start(), it.end()))
        .orElse("lastfix partitions create");
  }

  /**
   * Drops one, if it is there. The view shows nothing of it from then on; to have it say so, {@link
   * #refreshView}.
   */
  public void drop(HistoryPartition partition) {
    database.getCollection(partition.collection()).drop();
  }

  /** What the server's clock says; see {@link PartitionExpiry}. */
  public Instant serverTime() {
    return provisioner.serverTime();
  }

  /**
   * Drops those that the retention lets go, and brings the view up to date.
   *
   * @param now of {@link PartitionExpiry}
   * @param dropped is told of each
   * @throws ProvisionException if the view cannot be brought up to date
   */
  public void dropExpired(
      HistoryRetention retention, Instant now, Consumer<HistoryPartition> dropped)
      throws ProvisionException {
    for (HistoryPartition partition : list()) {
      if (retention.isDroppable(partition, now)) {
        drop(partition);
        dropped.accept(partition);
      }
    }
    var unused = refreshView();
  }

  /**
   * Has the view show what there is. To be called by whoever has made or dropped a partition.
   *
   * @return what was done; empty if there was nothing to do, or there is to be no view
   * @throws ProvisionException if something else has the view's name, or the user lacks a right
   */
  public List<Step> refreshView() throws ProvisionException {
    Optional<UnionViewDescription> view = history.viewDescription();
    if (view.isEmpty()) {
      return List.of();
    }
    List<Step> done = provisioner.provision(view.get());
    HistoryView.leftOut(history.view(), list().size())
        .ifPresent(
            words -> LOG.warn("Queries of partitions that are left out find nothing: {}", words));
    return done;
  }
}
