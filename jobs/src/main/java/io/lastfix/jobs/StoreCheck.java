package io.lastfix.jobs;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.model.Filters;
import io.lastfix.jobs.config.OnOtherPeriod;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.WriteErrorClassifier;
import io.lastfix.store.erasure.ErasureListCollection;
import io.lastfix.store.erasure.ErasureListOptions;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.provision.CollectionPlan;
import io.lastfix.store.provision.Description;
import io.lastfix.store.provision.Difference;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.bson.types.ObjectId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks MongoDB before a job is submitted, so that the submission fails instead of the running
 * job. It reports a wrong password, an unknown certificate, an unreadable erasure list, and any
 * collection that differs from its required form, including older partitions of History.
 *
 * <p>If MongoDB cannot be reached from here, the cluster may still reach it, so the submission
 * continues. The sinks repeat the check before their first write, except for partitions of another
 * period.
 */
record StoreCheck(ProvisionMode mode, OnOtherPeriod onOtherPeriod, Instant now) {
  private static final Logger LOG = LoggerFactory.getLogger(StoreCheck.class);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Long enough for empty collections, also on a sharded cluster. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

  /** The number of older partitions that are checked, which takes a second or two. */
  static final int MOST_OLDER_PARTITIONS = 100;

  private static final String UNCHECKED =
      "its sinks check again, but not for partitions of another history.period";

  /** The check of one server. */
  private interface ServerCheck {
    void run(MongoClient client) throws ErasureListUnreadableException, ProvisionException;
  }

  /**
   * Reads the erasure list's version and searches for partitions of another period, in every mode.
   * Creates missing collections if the mode allows that.
   *
   * @throws MongoAccessException if a server rejects the user or the connection
   * @throws ErasureListUnreadableException if the user may not read the list, with the remedy
   * @throws ProvisionException naming all differences, and all missing parts that the mode does not
   *     create
   */
  void run(List<Store> stores, ErasureListOptions erasureList)
      throws MongoAccessException, ErasureListUnreadableException, ProvisionException {
    check(
        erasureList.mongo(),
        client ->
            requireReadable(
                new ErasureListCollection(
                        client,
                        erasureList.mongo().database(),
                        erasureList.collection(),
                        ANSWER_TIMEOUT)
                    ::version));
    List<CollectionPlan> unmet = new ArrayList<>();
    for (Store store : stores) {
      check(store.mongo(), client -> unmet.addAll(unmetOf(store, client)));
    }
    if (!unmet.isEmpty()) {
      throw ProvisionException.of(unmet);
    }
  }

  /**
   * Checks that a job may remove documents, by removing one that cannot be there. Otherwise it
   * would fail at the first result that a late record refutes, perhaps hours later, and after each
   * restart.
   *
   * @param collections in each of which the job removes documents
   * @throws MongoAccessException if a server rejects the user or the connection
   * @throws IllegalStateException if the right is missing, with the remedy
   */
  static void requireRemovable(MongoOptions mongo, List<String> collections, String remedy)
      throws MongoAccessException, ErasureListUnreadableException, ProvisionException {
    if (collections.isEmpty()) {
      return;
    }
    check(
        mongo,
        client -> {
          for (String collection : collections) {
            var documents = client.getDatabase(mongo.database()).getCollection(collection);
            var unused =
                MongoAccessException.ifAllowed(
                        () -> documents.deleteOne(Filters.eq(new ObjectId())))
                    .orElseThrow(
                        () ->
                            new IllegalStateException(
                                "MongoDB at %s does not let the job's user remove documents of %s.%s: %s"
                                    .formatted(
                                        mongo.hosts(), mongo.database(), collection, remedy)));
          }
        });
  }

  private List<CollectionPlan> unmetOf(Store store, MongoClient client) throws ProvisionException {
    HistoryOptions history = store.history();
    boolean isPeriodChecked = history != null && onOtherPeriod == OnOtherPeriod.FAIL;
    if (mode == ProvisionMode.OFF && !isPeriodChecked) {
      return List.of();
    }
    String database = store.mongo().database();
    Provisioner provisioner = new Provisioner(client, database);
    List<HistoryPartition> there = List.of();
    if (history != null) {
      HistoryPartitions partitions = new HistoryPartitions(client, database, history);
      there =
          MongoAccessException.ifAllowed(partitions::list)
              .orElseThrow(() -> ProvisionException.unlisted(database));
      if (isPeriodChecked) {
        // Before anything is created, so that a rejected submission leaves no partition of its
        // period.
        List<CollectionPlan> others =
            ofOtherPeriods(
                database,
                history,
                there,
                partition -> mayHaveDocuments(() -> partitions.hasDocuments(partition)));
        if (!others.isEmpty()) {
          return others;
        }
      }
    }
    if (mode == ProvisionMode.OFF) {
      return List.of();
    }
    List<CollectionPlan> unmet = prepare(provisioner, store);
    if (history != null) {
      for (HistoryPartition partition : mostOf(store.older(there, now))) {
        CollectionPlan plan = provisioner.plan(history.description(partition.collection()));
        if (isRefused(plan)) {
          unmet.add(plan);
        }
      }
    }
    return unmet;
  }

  /**
   * Returns whether a partition must be treated as one with documents. If the job's role may not
   * read History, it must.
   */
  static boolean mayHaveDocuments(BooleanSupplier hasDocuments) {
    return MongoAccessException.ifAllowed(hasDocuments::getAsBoolean).orElse(true);
  }

  /**
   * The partitions of another configured period, each as a difference.
   *
   * @param mayHaveDocuments an empty partition does no harm
   */
  static List<CollectionPlan> ofOtherPeriods(
      String database,
      HistoryOptions history,
      List<HistoryPartition> there,
      Predicate<HistoryPartition> mayHaveDocuments) {
    String wanted = history.period().name();
    return there.stream()
        .filter(it -> !history.collectionAt(it.start().toEpochMilli()).equals(it.collection()))
        .filter(mayHaveDocuments)
        .map(
            it ->
                new CollectionPlan(
                    database + "." + it.collection(),
                    List.of(),
                    List.of(
                        new Difference(
                            "period",
                            wanted,
                            "a partition of another period",
                            "if the job reads one of its records again, it stores that record a"
                                + " second time: keep the period that History has, or resume from the"
                                + " newest savepoint with --set history.on-other-period=continue. If"
                                + " it is empty, or you no longer need its records, you can also drop"
                                + " the collection as an administrator"))))
        .toList();
  }

  /**
   * Rethrows a transient failure.
   *
   * @param version reads the list's version
   * @throws ErasureListUnreadableException for any other failure: the job would fail with its first
   *     record
   */
  static void requireReadable(LongSupplier version) throws ErasureListUnreadableException {
    try {
      var unused = version.getAsLong();
    } catch (MongoException e) {
      if (WriteErrorClassifier.isTransient(e)) {
        throw e;
      }
      throw ErasureListUnreadableException.of(e);
    }
  }

  private static void check(MongoOptions mongo, ServerCheck check)
      throws MongoAccessException, ErasureListUnreadableException, ProvisionException {
    MongoOptions limited = mongo.withTimeouts(CONNECT_TIMEOUT, CONNECT_TIMEOUT, ANSWER_TIMEOUT);
    try (MongoClient client = MongoClientFactory.connect(limited, 1)) {
      check.run(client);
    } catch (MongoAccessException e) {
      if (e.isRefused()) {
        throw e;
      }
      LOG.warn("The job starts without this check; {}: {}", UNCHECKED, e.getMessage());
    } catch (MongoException e) {
      if (!WriteErrorClassifier.isTransient(e)) {
        throw e;
      }
      LOG.warn(
          "The job starts without this check; {}: MongoDB at {} failed while it was asked ({})",
          UNCHECKED,
          limited.hosts(),
          e.getClass().getSimpleName());
    }
  }

  private static List<HistoryPartition> mostOf(List<HistoryPartition> older) {
    if (older.size() <= MOST_OLDER_PARTITIONS) {
      return older;
    }
    LOG.warn(
        "Checked the newest {} of {} older partitions of History; lastfix provision --dry-run"
            + " checks all",
        MOST_OLDER_PARTITIONS,
        older.size());
    return older.subList(0, MOST_OLDER_PARTITIONS);
  }

  /**
   * Returns whether the plan stops the submission. If the mode allows it, the job creates missing
   * parts: those of an older partition before a late record, since an index on many documents may
   * take longer than a submission should wait.
   */
  boolean isRefused(CollectionPlan plan) {
    return mode == ProvisionMode.AUTO ? !plan.differences().isEmpty() : !plan.isMet();
  }

  /** Creates missing parts, logs them, and returns the unmet plans. */
  private List<CollectionPlan> prepare(Provisioner provisioner, Store store)
      throws ProvisionException {
    List<Description> all = new ArrayList<>(store.collections());
    // Views follow the collections, because they show some of them.
    all.addAll(store.views());
    List<CollectionPlan> unmet = new ArrayList<>();
    for (Description wanted : all) {
      CollectionPlan plan = provisioner.plan(wanted);
      if (isRefused(plan)) {
        unmet.add(plan);
      } else if (!plan.isMet()) {
        var unused = provisioner.provision(wanted);
      }
    }
    return unmet;
  }
}
