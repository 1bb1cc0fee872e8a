package io.lastfix.store.provision;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.client.MongoClient;
import io.lastfix.store.provision.Step.CreateCollection;
import io.lastfix.store.provision.Step.CreateIndex;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings collections and views of one database to what they must be, or says what they lack.
 *
 * <p>May be called for the same one again, and by several threads, processes and routers at once:
 * whoever comes second finds the thing there. So nobody asks why a step failed that somebody else
 * may have been quicker with: it looks again, and what it finds then is as it must be, or still
 * missing, or disagrees. A view is over what is there when it is looked at last: who changes what
 * there is, and then provisions the view, leaves it complete, however many do so at once.
 */
public final class Provisioner {
  private static final Logger LOG = LoggerFactory.getLogger(Provisioner.class);

  // Of https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int UNAUTHORIZED = 13;

  private static final Set<Integer> ALREADY_EXISTS_CODES =
      Set.of(
          23, // AlreadyInitialized: sharded, on another key
          26, // NamespaceNotFound: dropped since we looked
          48, // NamespaceExists
          72, // InvalidOptions: documents have come, for which there are no initial chunks
          85, // IndexOptionsConflict
          86, // IndexKeySpecsConflict
          112, // WriteConflict: of two changes of a view
          117 // ConflictingOperationInProgress: is being sharded
          );

  private static final int ATTEMPTS = 20;

  /** While others make collections, each look at a view over them may find one more. */
  private static final int ATTEMPTS_AT_A_VIEW = 200;

  private static final long PAUSE_MILLIS = 100;

  private final MongoClient client;
  private final String database;
  private final ServerInspection look;

  /** Over a client that the caller closes. */
  public Provisioner(MongoClient client, String database) {
    this.client = client;
    this.database = database;
    this.look = new ServerInspection(client, database);
  }

  /**
   * What the server is.
   *
   * @throws com.mongodb.MongoException if it does not answer
   */
  public Topology topology() {
    return look.topology();
  }

  /**
   * What the server's clock says: the primary's, or the router's.
   *
   * @throws com.mongodb.MongoException if it does not answer
   */
  public Instant serverTime() {
    return look.time();
  }

  /**
   * Looks, and changes nothing.
   *
   * @throws ProvisionException if the user may not look
   * @throws com.mongodb.MongoException if the server does not answer
   */
  public CollectionPlan plan(CollectionDescription wanted) throws ProvisionException {
    return plan(
        wanted.name(),
        () -> {
          Topology topology = look.topology();
          return Comparison.plan(
              database,
              wanted,
              topology,
              topology == Topology.SHARDED_CLUSTER ? look.shards() : 0,
              look.collection(wanted.name(), topology));
        });
  }

  /** The same for a view. */
  public CollectionPlan plan(UnionViewDescription wanted) throws ProvisionException {
    return plan(
        wanted.name(),
        () -> UnionViewComparison.plan(database, wanted, look.topology(), look.everything()));
  }

  private CollectionPlan plan(String name, Supplier<CollectionPlan> plan)
      throws ProvisionException {
    try {
      return plan.get();
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == UNAUTHORIZED) {
        throw forbidden("look", name);
      }
      throw e;
    }
  }

  /**
   * Does what that mode says.
   *
   * @return what was missing and is made, as {@link #provision}
   * @throws ProvisionException if the collection disagrees, if something is missing that this mode
   *     does not make, or if the user lacks a right
   * @throws com.mongodb.MongoException if the server refuses or does not answer
   */
  public List<Step> ensure(CollectionDescription wanted, ProvisionMode mode)
      throws ProvisionException {
    return ensure(wanted, mode, ProvisionException.PROVISION);
  }

  /**
   * The same, of a collection that {@code lastfix provision} does not make.
   *
   * @param command that makes it, for the message
   */
  public List<Step> ensure(CollectionDescription wanted, ProvisionMode mode, String command)
      throws ProvisionException {
    return switch (mode) {
      case AUTO -> provision(wanted);
      case CHECK -> {
        CollectionPlan plan = plan(wanted);
        if (!plan.isMet()) {
          throw ProvisionException.of(List.of(plan), command);
        }
        yield List.of();
      }
      // Nobody looks.
      case OFF -> List.of();
    };
  }

  /**
   * Makes what is missing, and returns when a look has found all of it. Blocks.
   *
   * @return what was missing when this call looked, in the order it was made; where several race,
   *     more than one of them may name the same thing
   * @throws ProvisionException if the collection disagrees, or the user lacks a right
   * @throws com.mongodb.MongoException if the server refuses or does not answer
   */
  public List<Step> provision(CollectionDescription wanted) throws ProvisionException {
    List<Step> made = new ArrayList<>();
    provision(wanted, made::add);
    return made;
  }

  /**
   * The same, for who wants to know what was made even where a later step fails.
   *
   * @param made is told of each step when it is done
   */
  public void provision(CollectionDescription wanted, Consumer<Step> made)
      throws ProvisionException {
    provision(wanted.name(), () -> plan(wanted), ATTEMPTS, made);
  }

  /** The same for a view. */
  public List<Step> provision(UnionViewDescription wanted) throws ProvisionException {
    List<Step> made = new ArrayList<>();
    provision(wanted.name(), () -> plan(wanted), ATTEMPTS_AT_A_VIEW, made::add);
    return made;
  }

  /** A look at the server. */
  private interface Look {
    CollectionPlan plan() throws ProvisionException;
  }

  private void provision(String name, Look atServer, int attempts, Consumer<Step> made)
      throws ProvisionException {
    for (int attempt = 1; ; attempt++) {
      CollectionPlan plan = atServer.plan();
      if (plan.isMet()) {
        return;
      }
      if (!plan.differences().isEmpty() || attempt > attempts) {
        throw ProvisionException.of(List.of(plan));
      }
      try {
        carryOut(client, plan, made);
      } catch (MongoCommandException e) {
        if (e.getErrorCode() == UNAUTHORIZED) {
          throw forbidden("provision", name);
        }
        if (!ALREADY_EXISTS_CODES.contains(e.getErrorCode()) || attempt == attempts) {
          throw e;
        }
        LOG.debug("Somebody else provisions {} (code {})", plan.namespace(), e.getErrorCode());
        pause();
      }
    }
  }

  /**
   * Makes all indexes of a collection in one command, which also makes the collection: each command
   * costs the server a flush of its journal, and whoever waits for a new partition waits for all of
   * them.
   *
   * <p>If a step fails, the exception is passed on and the steps behind it are not tried. What was
   * reported stands. Of the collection and the indexes nothing is reported until their one command
   * has answered. If it fails, any of them may stand all the same, on each shard by itself: a
   * connection may break after the server has made them, and one shard may fail alone. A collection
   * may so stand without its indexes; nobody writes to it, since {@link #provision} has not
   * returned.
   *
   * <p>To repeat it with a new plan is safe: a plan has no step for what is there, and the server
   * takes an index that exists in the same form as made. No step removes data.
   *
   * @param made is told of each step that is surely done
   */
  static void carryOut(MongoClient client, CollectionPlan plan, Consumer<Step> made) {
    List<CreateIndex> indexes = new ArrayList<>();
    List<Step> others = new ArrayList<>();
    for (Step step : plan.steps()) {
      if (step instanceof CreateIndex index) {
        indexes.add(index);
      } else {
        others.add(step);
      }
    }
    List<Step> madeByIndexes = new ArrayList<>();
    for (Step step : others) {
      if (step instanceof CreateCollection && !indexes.isEmpty()) {
        madeByIndexes.add(step);
      } else {
        step.run(client);
        report(step, made);
      }
    }
    if (!indexes.isEmpty()) {
      CreateIndex.runTogether(client, indexes);
      madeByIndexes.addAll(indexes);
      madeByIndexes.forEach(step -> report(step, made));
    }
  }

  private static void report(Step step, Consumer<Step> made) {
    LOG.info("Made {}", step.description());
    made.accept(step);
  }

  private ProvisionException forbidden(String action, String name) {
    return ProvisionException.forbidden(database + "." + name, action);
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MongoInterruptedException("Interrupted while provisioning", e);
    }
  }
}
