package io.lastfix.jobs;

import com.mongodb.client.MongoClient;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryView;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.CollectionPlan;
import io.lastfix.store.provision.Description;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionReport;
import io.lastfix.store.provision.ProvisionReport.Database;
import io.lastfix.store.provision.ProvisionReport.Finding;
import io.lastfix.store.provision.ProvisionReport.Status;
import io.lastfix.store.provision.Provisioner;
import io.lastfix.store.provision.Role;
import io.lastfix.store.provision.RoleProvisioner;
import io.lastfix.store.provision.Topology;
import io.lastfix.store.provision.UnionViewDescription;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Provisions MongoDB for a configuration: Last Known Location, devices, the existing partitions of
 * History, today's and the next one, the view over them, and the roles of the job and of {@code
 * lastfix forget}.
 *
 * @param isDryRun change nothing
 * @param withRoles whether to check roles too
 * @param timeLimit for one step, such as creating an index
 */
public record StoreProvisioning(
    LocationJobConfig config,
    boolean isDryRun,
    boolean withRoles,
    Duration timeLimit,
    InstantSource clock) {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /** The role that may read a router's metadata; a server without shards has none. */
  private static final String SHARDING_ROLE = "lastfixSharding";

  /**
   * Runs the provisioning.
   *
   * @param report receives each step when it is done, so that it holds the steps before a failure
   * @throws MongoAccessException if a server rejects the connection, or does not answer
   * @throws ProvisionException if the user lacks a right, or another process changes the same
   *     things
   * @throws com.mongodb.MongoException if the connection to a server breaks
   */
  public void run(ProvisionReport report) throws MongoAccessException, ProvisionException {
    for (Store store : Store.ofAllJobs(config, clock.instant())) {
      MongoOptions withTimeLimit =
          store
              .mongo()
              .withApplicationName("lastfix-provision")
              .withTimeouts(CONNECT_LIMIT, CONNECT_LIMIT, timeLimit);
      try (MongoClient client = MongoClientFactory.connect(withTimeLimit, 1)) {
        provision(client, store, report);
      }
    }
  }

  private void provision(MongoClient client, Store store, ProvisionReport report)
      throws ProvisionException {
    String database = store.mongo().database();
    Provisioner provisioner = new Provisioner(client, database);
    Topology topology = provisioner.topology();
    List<Finding> findings = new ArrayList<>();
    report
        .databases()
        .add(new Database(store.mongo().hosts(), database, topology.words(), findings));
    for (CollectionDescription collection : store.collections()) {
      provision(provisioner, collection, findings);
    }
    List<CollectionDescription> otherPartitions = otherPartitions(client, store);
    for (CollectionDescription collection : otherPartitions) {
      provision(provisioner, collection, findings);
    }
    List<String> made = store.collections().stream().map(CollectionDescription::name).toList();
    for (UnionViewDescription view : store.views()) {
      // In a dry run, the partitions of the view do not exist yet.
      provision(provisioner, isDryRun ? view.with(made) : view, findings);
    }
    if (store.history() != null) {
      int partitions = partitions(store) + otherPartitions.size();
      HistoryView.leftOut(config.history().view(), partitions)
          .filter(words -> !store.views().isEmpty())
          .ifPresent(words -> findings.add(Finding.there("History", words)));
    }
    if (withRoles) {
      provisionRoles(client, store, topology, findings);
    }
  }

  private void provisionRoles(
      MongoClient client, Store store, Topology topology, List<Finding> findings) {
    RoleProvisioner roles = new RoleProvisioner(client, isDryRun);
    Role.Names names =
        new Role.Names(
            store.mongo().database(),
            config.lastKnownLocation().collection(),
            config.history().view(),
            config.devices().collection().name(),
            config.erasureList().collection(),
            config.erasureList().auditCollection());
    for (Role role : Role.shipped(names)) {
      if (topology == Topology.SHARDED_CLUSTER || !role.name().equals(SHARDING_ROLE)) {
        findings.add(roles.ensure(role));
      }
    }
  }

  /** The existing partitions beside those that a job needs at its start. */
  private List<CollectionDescription> otherPartitions(MongoClient client, Store store) {
    if (store.history() == null) {
      return List.of();
    }
    Set<String> names = new TreeSet<>();
    for (String name : client.getDatabase(store.mongo().database()).listCollectionNames()) {
      if (isPartition(name)) {
        names.add(name);
      }
    }
    store.collections().forEach(known -> names.remove(known.name()));
    return names.stream().map(config.history()::description).toList();
  }

  private void provision(Provisioner provisioner, Description wanted, List<Finding> findings)
      throws ProvisionException {
    CollectionPlan plan = provisioner.plan(wanted);
    String kind = wanted instanceof UnionViewDescription ? "view" : "collection";
    String what = kind + " " + plan.namespace();
    if (plan.isMet()) {
      findings.add(Finding.of(Status.THERE, what));
    }
    plan.differences().forEach(difference -> findings.add(Finding.refused(what, difference)));
    if (isDryRun) {
      plan.steps().forEach(step -> findings.add(Finding.of(Status.WOULD_MAKE, step.description())));
    } else if (!plan.steps().isEmpty()) {
      provisioner.provision(
          wanted, step -> findings.add(Finding.of(Status.MADE, step.description())));
    }
  }

  /** The number of partitions that a job needs at its start. */
  private int partitions(Store store) {
    return (int)
        store.collections().stream().filter(collection -> isPartition(collection.name())).count();
  }

  private boolean isPartition(String name) {
    return HistoryPartition.parse(config.history().collectionPrefix(), name).isPresent();
  }
}
