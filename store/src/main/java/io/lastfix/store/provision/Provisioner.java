package io.lastfix.store.provision;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.client.MongoClient;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.provision.Step.CreateCollection;
import io.lastfix.store.provision.Step.CreateIndex;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates collections and views of one database by their descriptions, or reports what is missing
 * or differs.
 *
 * <p>Calls may be repeated and may run concurrently in threads, processes and routers; a later call
 * finds the existing objects. If a step fails because another process may have completed it, the
 * state is read again. Then it is complete, still incomplete, or different.
 *
 * <p>A view shows the collections of the last inspection. If every process that changes the
 * collections provisions the view afterwards, the view is complete, even with concurrent changes.
 */
public final class Provisioner {
  private static final Logger LOG = LoggerFactory.getLogger(Provisioner.class);

  // From https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final Set<Integer> ALREADY_EXISTS_CODES =
      Set.of(
          23, // AlreadyInitialized: sharded, on another key
          26, // NamespaceNotFound: dropped since the inspection
          48, // NamespaceExists
          72, // InvalidOptions: documents have arrived, for which there are no initial chunks
          85, // IndexOptionsConflict
          86, // IndexKeySpecsConflict
          112, // WriteConflict: two concurrent changes of a view
          117 // ConflictingOperationInProgress: being sharded
          );

  private static final int ATTEMPTS = 20;

  /** While other processes create collections, each inspection for a view may find another one. */
  private static final int ATTEMPTS_AT_A_VIEW = 200;

  private static final long PAUSE_MILLIS = 100;

  private final MongoClient client;
  private final String database;
  private final ServerInspection inspection;

  /** Uses a client that the caller closes. */
  public Provisioner(MongoClient client, String database) {
    this.client = client;
    this.database = database;
    this.inspection = new ServerInspection(client, client.getDatabase(database));
  }

  /**
   * Returns the kind of server.
   *
   * @throws com.mongodb.MongoException if it does not answer
   */
  public Topology topology() {
    return inspection.topology();
  }

  /**
   * Returns the clock of the primary, or of the router.
   *
   * @throws com.mongodb.MongoException if it does not answer
   */
  public Instant serverTime() {
    return inspection.time();
  }

  /**
   * Inspects the server and changes nothing.
   *
   * @throws ProvisionException if the user may not inspect it
   * @throws com.mongodb.MongoException if the server does not answer
   */
  public CollectionPlan plan(Description wanted) throws ProvisionException {
    return MongoAccessException.ifAllowed(
            () ->
                wanted instanceof UnionViewDescription view
                    ? UnionViewComparison.plan(database, view, inspection.everything())
                    : compared((CollectionDescription) wanted))
        .orElseThrow(() -> forbidden("inspect", wanted.name()));
  }

  private CollectionPlan compared(CollectionDescription wanted) {
    Topology topology = inspection.topology();
    return Comparison.plan(
        database,
        wanted,
        topology,
        topology == Topology.SHARDED_CLUSTER ? inspection.shards() : 0,
        inspection.collection(wanted.name(), topology));
  }

  /**
   * Applies the mode.
   *
   * @return the steps that were missing and are now applied, as {@link #provision}
   * @throws ProvisionException if the collection differs, if something is missing that this mode
   *     does not create, or if the user lacks a right
   * @throws com.mongodb.MongoException if the server rejects a command or does not answer
   */
  public List<Step> ensure(CollectionDescription wanted, ProvisionMode mode)
      throws ProvisionException {
    return ensure(wanted, mode, ProvisionException.PROVISION);
  }

  /**
   * Applies the mode to a collection that {@code lastfix provision} does not create.
   *
   * @param command command that creates it, for the message
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
      case OFF -> List.of();
    };
  }

  /**
   * Creates what is missing, and returns when an inspection has found all of it. Blocks.
   *
   * @return the steps that were missing at this call's inspection, in the order of their
   *     application; concurrent calls may name the same step
   * @throws ProvisionException if the collection or view differs, or the user lacks a right
   * @throws com.mongodb.MongoException if the server rejects a command or does not answer
   */
  public List<Step> provision(Description wanted) throws ProvisionException {
    List<Step> applied = new ArrayList<>();
    provision(wanted, applied::add);
    return applied;
  }

  /**
   * Creates what is missing, and reports each step even if a later one fails.
   *
   * @param applied receives each applied step
   */
  public void provision(Description wanted, Consumer<Step> applied) throws ProvisionException {
    int attempts = wanted instanceof UnionViewDescription ? ATTEMPTS_AT_A_VIEW : ATTEMPTS;
    for (int attempt = 1; ; attempt++) {
      CollectionPlan plan = plan(wanted);
      if (plan.isMet()) {
        return;
      }
      if (!plan.differences().isEmpty() || attempt > attempts) {
        throw ProvisionException.of(List.of(plan));
      }
      try {
        apply(client, plan, applied);
      } catch (MongoCommandException e) {
        if (MongoAccessException.isUnauthorized(e)) {
          throw forbidden("provision", wanted.name());
        }
        if (!ALREADY_EXISTS_CODES.contains(e.getErrorCode()) || attempt == attempts) {
          throw e;
        }
        LOG.debug("Another process provisions {} (code {})", plan.namespace(), e.getErrorCode());
        pause();
      }
    }
  }

  /**
   * Creates all indexes of a collection in one command, which also creates the collection. Each
   * command costs the server a flush of its journal, and writes to a new partition wait for all of
   * them.
   *
   * <p>If a step fails, the method throws the exception and skips the later steps; reported steps
   * stay applied. The collection and the indexes are reported only after their one command has
   * succeeded. If that command fails, any of them may exist all the same, separately on each shard:
   * the connection may break after the server has created them, or one shard may fail alone. A
   * collection may then exist without its indexes. No sink writes to it, since {@link #provision}
   * has not returned.
   *
   * <p>A retry with a new plan is safe. A plan has no step for existing objects, and the server
   * accepts an index that already exists in the same form. No step removes data.
   *
   * @param applied receives each step that is certainly applied
   */
  static void apply(MongoClient client, CollectionPlan plan, Consumer<Step> applied) {
    List<CreateIndex> indexes =
        plan.steps().stream()
            .filter(CreateIndex.class::isInstance)
            .map(CreateIndex.class::cast)
            .toList();
    List<Step> appliedTogether = new ArrayList<>();
    for (Step step : plan.steps()) {
      if (step instanceof CreateIndex || (step instanceof CreateCollection && !indexes.isEmpty())) {
        appliedTogether.add(step);
      } else {
        step.run(client);
        report(step, applied);
      }
    }
    if (!indexes.isEmpty()) {
      CreateIndex.runTogether(client, indexes);
      appliedTogether.forEach(step -> report(step, applied));
    }
  }

  private static void report(Step step, Consumer<Step> applied) {
    LOG.info("Applied: {}", step.description());
    applied.accept(step);
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
