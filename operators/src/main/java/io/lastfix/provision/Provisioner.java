package io.lastfix.provision;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.client.MongoClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings collections of one database to what they must be, or says what they lack.
 *
 * <p>May be called for the same collection again, and by several threads, processes and routers at
 * once: whoever comes second finds the thing there. So nobody asks why a step failed that somebody
 * else may have been quicker with: it looks again, and what it finds then is as it must be, or
 * still missing, or disagrees.
 */
public final class Provisioner {
  private static final Logger LOG = LoggerFactory.getLogger(Provisioner.class);

  // Of https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int UNAUTHORIZED = 13;

  private static final Set<Integer> SOMEBODY_WAS_QUICKER =
      Set.of(
          23, // AlreadyInitialized: sharded, on another key
          26, // NamespaceNotFound: dropped since we looked
          48, // NamespaceExists
          72, // InvalidOptions: documents have come, for which there are no initial chunks
          85, // IndexOptionsConflict
          86, // IndexKeySpecsConflict
          117 // ConflictingOperationInProgress: is being sharded
          );

  private static final int ATTEMPTS = 20;
  private static final long PAUSE_MILLIS = 100;

  private final MongoClient client;
  private final String database;
  private final ServerLook look;

  /** Over a client that the caller closes. */
  public Provisioner(MongoClient client, String database) {
    this.client = client;
    this.database = database;
    this.look = new ServerLook(client, database);
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
   * Looks, and changes nothing.
   *
   * @throws ProvisionException if the user may not look
   * @throws com.mongodb.MongoException if the server does not answer
   */
  public CollectionPlan plan(CollectionDescription wanted) throws ProvisionException {
    try {
      Topology topology = look.topology();
      return Comparison.plan(
          database,
          wanted,
          topology,
          topology == Topology.SHARDED_CLUSTER ? look.shards() : 0,
          look.collection(wanted.name(), topology));
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == UNAUTHORIZED) {
        throw forbidden("look", wanted);
      }
      throw e;
    }
  }

  /**
   * Does what that mode says.
   *
   * @throws ProvisionException if the collection disagrees, if something is missing that this mode
   *     does not make, or if the user lacks a right
   * @throws com.mongodb.MongoException if the server refuses or does not answer
   */
  public void ensure(CollectionDescription wanted, ProvisionMode mode) throws ProvisionException {
    switch (mode) {
      case AUTO -> provision(wanted);
      case CHECK -> {
        CollectionPlan plan = plan(wanted);
        if (!plan.isMet()) {
          throw ProvisionException.of(List.of(plan));
        }
      }
      case OFF -> {
        // Nobody looks.
      }
    }
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
    for (int attempt = 1; ; attempt++) {
      CollectionPlan plan = plan(wanted);
      if (plan.isMet()) {
        return made;
      }
      if (!plan.differences().isEmpty() || attempt > ATTEMPTS) {
        throw ProvisionException.of(List.of(plan));
      }
      try {
        carryOut(plan, made);
      } catch (MongoCommandException e) {
        if (e.getErrorCode() == UNAUTHORIZED) {
          throw forbidden("provision", wanted);
        }
        if (!SOMEBODY_WAS_QUICKER.contains(e.getErrorCode()) || attempt == ATTEMPTS) {
          throw e;
        }
        LOG.debug("Somebody else provisions {} (code {})", plan.namespace(), e.getErrorCode());
        pause();
      }
    }
  }

  private void carryOut(CollectionPlan plan, List<Step> made) {
    for (Step step : plan.steps()) {
      step.run(client);
      LOG.info("Made {}", step.description());
      made.add(step);
    }
  }

  private ProvisionException forbidden(String action, CollectionDescription wanted) {
    return ProvisionException.forbidden(database + "." + wanted.name(), action);
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
