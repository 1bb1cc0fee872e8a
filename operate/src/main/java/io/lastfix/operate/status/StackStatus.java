package io.lastfix.operate.status;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.lastfix.cluster.Redaction;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FreshMetrics;
import io.lastfix.cluster.flink.Ledger;
import io.lastfix.cluster.flink.LostRecords;
import io.lastfix.cluster.gateway.GatewayClient;
import io.lastfix.cluster.gateway.NotifyClient;
import io.lastfix.cluster.submission.JobSituation;
import io.lastfix.cluster.submission.Submission;
import io.lastfix.cluster.submission.SubmittedJob;
import io.lastfix.cluster.submission.SubmittedJobs;
import io.lastfix.cluster.submission.UpgradeRecord;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.KafkaClients;
import io.lastfix.kit.text.TimeText;
import io.lastfix.local.FlinkCluster;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.KafkaServer;
import io.lastfix.local.MongoServer;
import io.lastfix.local.NotifyServer;
import io.lastfix.operate.access.ServerAccess;
import io.lastfix.operate.access.ServerCheck;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.sql.SqlTables;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;

/**
 * The state of the servers.
 *
 * @param healthy whether every server answers, every process of the local stack runs, and no job
 *     has ended unexpectedly
 * @param servers MongoDB, that of Last Known Location if it has its own, Kafka, Flink, and the
 *     local stack's gateway, MQTT broker, notify, console, Prometheus and Alertmanager if it has
 *     them
 * @param processes of the local stack
 * @param flink what Flink reports; nothing if it does not answer
 * @param kafka what Kafka reports; nothing if it does not answer
 * @param tooLate what the numbers in MongoDB lack, because records came too late
 * @param upgrades of the local stack's jobs that have not ended
 * @param disk of the local stack
 * @param overQuota the devices that have used up the quota of the local stack's gateway
 * @param receivers of alerts, as the local stack's notify reports them
 */
public record StackStatus(
    boolean healthy,
    List<Server> servers,
    List<ServerProcessState> processes,
    @JsonUnwrapped OfFlink flink,
    @JsonUnwrapped OfKafka kafka,
    LateNumbers tooLate,
    List<UnfinishedUpgrade> upgrades,
    DiskSpace disk,
    GatewayClient.OverQuota overQuota,
    List<NotifyClient.Receiver> receivers) {
  /** The name prefix of the jobs' consumer groups. */
  private static final String GROUP_PREFIX = "lastfix";

  /**
   * One server from its clients' view.
   *
   * @param endpoint without passwords; empty if none is known
   * @param processRuns whether it is the local stack's, and its process exists
   * @param detail why it does not answer; empty if it does
   */
  public record Server(
      String name, String endpoint, boolean answers, boolean processRuns, String detail) {}

  /** One process of the local stack. */
  public record ServerProcessState(String name, long pid, boolean running, String logFile) {}

  /**
   * A job that was submitted and does not run.
   *
   * @param resume the command that resumes it
   * @param unexpected whether no person has ended it
   */
  public record StoppedJob(String name, String resume, boolean unexpected) {
    /** A line for the user. */
    public String text() {
      return "job %s %s; it resumes with: %s"
          .formatted(name, unexpected ? "has ENDED" : "does not run", resume);
    }
  }

  /**
   * An upgrade that another command performs, or that was interrupted.
   *
   * @param name of the job
   * @param step that was begun last
   * @param since when it was begun, as ISO-8601
   * @param resume the command that continues it if it was interrupted
   */
  public record UnfinishedUpgrade(String name, String step, String since, String resume) {
    /** For the user. */
    public String text() {
      return "of job %s is unfinished, at %s since %s. If no lastfix upgrade runs, continue it with: %s (or undo it with --back)"
          .formatted(name, step, since, resume);
    }
  }

  /** Any other end was requested by a person. */
  private static final Set<SubmittedJob.End> UNEXPECTED =
      Set.of(SubmittedJob.End.NONE, SubmittedJob.End.FAILED);

  /**
   * How long a server with an existing process is queried, because it may be slow on a busy
   * machine.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * Queries each server for some seconds at most; longer if its process exists.
   *
   * @param abandoned topics whose records may be left unread
   */
  public static StackStatus collect(
      StackHome home, ServerAccess access, Collection<String> abandoned) {
    StackState state = StackState.read(home).orElse(StackState.empty());
    List<ServerProcessState> processes = processes(state);
    List<Server> servers = servers(state, access);
    boolean isLocalStack =
        access.flink().equals(Optional.ofNullable(state.endpoints().get(FlinkCluster.NAME)));
    SubmittedJobs submitted =
        isLocalStack ? SubmittedJobs.ofLocalStack(home) : SubmittedJobs.elsewhere(home);
    List<UnfinishedUpgrade> upgrades = upgrades(submitted);
    OfFlink flink =
        find(servers, FlinkCluster.NAME).isPresent()
            ? OfFlink.read(
                new FlinkRest(access.flink().orElseThrow(), PATIENCE),
                submitted,
                isLocalStack
                    ? Submission.LOCAL_STACK
                    : Redaction.redact(access.flink().orElseThrow()))
            : OfFlink.NOTHING;
    OfKafka kafka =
        find(servers, KafkaServer.NAME).isPresent()
            ? OfKafka.read(access.kafka().orElseThrow(), flink, abandoned)
            : OfKafka.NOTHING;
    return new StackStatus(
        servers.stream().allMatch(Server::answers)
            && processes.stream().allMatch(ServerProcessState::running)
            && flink.stopped().stream().noneMatch(StoppedJob::unexpected),
        servers,
        processes,
        flink,
        kafka,
        tooLate(servers, access),
        upgrades,
        DiskSpace.of(home),
        overQuota(servers),
        receivers(servers));
  }

  private static LateNumbers tooLate(List<Server> servers, ServerAccess access) {
    return find(servers, MongoServer.NAME).isPresent()
        ? LateNumbers.read(access.mongo().orElseThrow(), PATIENCE)
        : LateNumbers.UNKNOWN;
  }

  private static List<ServerProcessState> processes(StackState state) {
    return state.processes().stream()
        .map(p -> new ServerProcessState(p.name(), p.pid(), p.find().isPresent(), p.logFile()))
        .toList();
  }

  private static List<Server> servers(StackState state, ServerAccess access) {
    Map<String, Optional<ServerCheck>> servers = new LinkedHashMap<>();
    servers.put(MongoServer.NAME, access.mongo().map(ServerCheck::mongo));
    if (access.lastKnownLocationMongo().isPresent()) {
      servers.put(
          "mongodb (last known location)", access.lastKnownLocationMongo().map(ServerCheck::mongo));
    }
    servers.put(KafkaServer.NAME, access.kafka().map(ServerCheck::kafka));
    servers.put(FlinkCluster.NAME, access.flink().map(ServerCheck::flink));
    ServerCheck.ofOptional(state.endpoints())
        .forEach((name, server) -> servers.put(name, Optional.of(server)));
    return servers.entrySet().stream()
        .map(it -> server(state, it.getKey(), it.getValue(), PATIENCE))
        .toList();
  }

  /** The server of that name, if it answers. */
  private static Optional<Server> find(List<Server> servers, String name) {
    return servers.stream().filter(it -> it.name().equals(name) && it.answers()).findAny();
  }

  /**
   * What Flink reports.
   *
   * @param jobs of the cluster, including ended ones, the latest first
   * @param catalogGroups under which jobs that have not ended read the catalogue
   * @param reading what the jobs read of the location topics
   * @param stopped the jobs that were submitted from here to this cluster and do not run
   * @param recordsLost by name of each running analytics or rules job; see {@link LostRecords}
   * @param uncounted by name of each analytics or rules job that gets no records, why; see {@link
   *     UncountedRecords}
   * @param ledger by name of each running location job, what became of all its records
   * @param ledgerTriggered by the same name, when the ledger's checkpoint was triggered, as
   *     ISO-8601; without those that Flink does not list
   * @param tasks by id of each RUNNING job with tasks that do not run, its tasks; it can have no
   *     TaskManager
   */
  public record OfFlink(
      List<FlinkRest.Job> jobs,
      @JsonIgnore Set<String> catalogGroups,
      @JsonIgnore LocationReading reading,
      List<StoppedJob> stopped,
      Map<String, Long> recordsLost,
      Map<String, String> uncounted,
      Map<String, Ledger> ledger,
      Map<String, String> ledgerTriggered,
      Map<String, FlinkRest.Tasks> tasks) {
    static final OfFlink NOTHING =
        new OfFlink(
            List.of(),
            Set.of(),
            new LocationReading(Set.of(), false),
            List.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of());

    /** Returns the jobs for a user: of ended queries of {@code lastfix sql} the latest only. */
    public List<FlinkRest.Job> shown() {
      List<FlinkRest.Job> shown = new ArrayList<>();
      boolean hasQuery = false;
      for (FlinkRest.Job job : jobs) {
        boolean isEndedQuery = job.isOver() && job.name().equals(SqlTables.JOB_NAME);
        if (!isEndedQuery || !hasQuery) {
          shown.add(job);
        }
        hasQuery |= isEndedQuery;
      }
      return shown;
    }

    /** Returns a line for each job that has lost records. */
    public List<String> lostLines() {
      List<String> lines = new ArrayList<>();
      recordsLost.forEach(
          (job, records) -> {
            if (job.endsWith(Jobs.ANALYTICS.suffix())) {
              LostRecords.text(OptionalLong.of(records))
                  .ifPresent(text -> lines.add(job + ": " + text));
            } else if (records > 0) {
              lines.add(
                  "%s: %,d located records caused no alert: Kafka deleted them before the job read them"
                      .formatted(job, records));
            }
          });
      return lines;
    }

    /**
     * Queries a cluster.
     *
     * @param submitted from here, to this cluster and others
     * @param cluster the name of this one in those
     */
    static OfFlink read(FlinkRest flink, SubmittedJobs submitted, String cluster) {
      try {
        List<FlinkRest.Job> jobs = flink.jobs();
        Map<String, FlinkRest.Tasks> tasks = incompleteTasks(flink, jobs);
        // First, because it makes Flink collect metrics, which the ledger then finds.
        Map<String, Long> recordsLost =
            LostRecords.ofAll(
                flink,
                jobs,
                UncountedRecords.readers().stream().map(Jobs.Job::suffix).toList(),
                limit(jobs, tasks.keySet()));
        Map<String, Ledger> ledger = new TreeMap<>();
        Map<String, String> triggered = new TreeMap<>();
        for (FlinkRest.Job job : jobs) {
          if (job.isRunning()) {
            Optional<Ledger> newest =
                Ledger.readNewest(flink, job.id(), limit(List.of(job), tasks.keySet()));
            if (newest.isPresent()) {
              ledger.put(job.name(), newest.get());
              flink
                  .triggered(job.id(), newest.get().checkpoint())
                  .ifPresent(at -> triggered.put(job.name(), at.toString()));
            }
          }
        }
        return new OfFlink(
            jobs,
            StackStatus.catalogGroups(flink, jobs),
            LocationReading.of(flink, jobs),
            StackStatus.stopped(submitted, cluster, jobs),
            recordsLost,
            UncountedRecords.of(flink, jobs),
            ledger,
            triggered,
            tasks);
      } catch (IOException e) {
        throw new StackException("cannot list Flink's jobs: " + e, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StackException("interrupted while Flink's metrics were read", e);
      }
    }
  }

  /**
   * What Kafka reports.
   *
   * @param lag by consumer group and topic, in messages: the end offset less the committed one,
   *     summed over partitions. A Flink job commits at its checkpoints, so the lag falls stepwise.
   *     Of the groups that read the catalogue (one for each submission), only those of jobs that
   *     have not ended are included; none if Flink does not answer.
   * @param unread location topics with records that no running job reads, and an upper bound of
   *     their number; none if Flink does not answer
   */
  public record OfKafka(Map<String, Map<String, Long>> lag, Map<String, Long> unread) {
    static final OfKafka NOTHING = new OfKafka(Map.of(), Map.of());

    static OfKafka read(KafkaOptions kafka, OfFlink flink, Collection<String> abandoned) {
      try (Admin admin =
          KafkaAdmin.connect(KafkaClients.withShortTimeouts(kafka.clientProperties(), PATIENCE))) {
        return new OfKafka(
            new ConsumerLag(admin).byGroupAndTopic(name -> isShown(name, flink.catalogGroups())),
            flink.reading().unread(admin, kafka, abandoned));
      } catch (IOException e) {
        throw new StackException(
            "Kafka at %s does not return its lag: %s"
                .formatted(kafka.bootstrapServers(), e.getMessage()),
            e);
      } catch (IllegalStateException e) {
        throw new StackException(String.valueOf(e.getMessage()), e);
      }
    }
  }

  private static GatewayClient.OverQuota overQuota(List<Server> servers) {
    Optional<Server> gateway = find(servers, GatewayServer.NAME);
    if (gateway.isEmpty()) {
      return GatewayClient.OverQuota.NONE;
    }
    try {
      return GatewayClient.overQuota(gateway.get().endpoint(), ServerCheck.SHORT);
    } catch (IOException e) {
      // It has answered before: it ends, which the next status shows.
      return GatewayClient.OverQuota.NONE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while the gateway was asked for its quota", e);
    }
  }

  private static List<NotifyClient.Receiver> receivers(List<Server> servers) {
    Optional<Server> notify = find(servers, NotifyServer.NAME);
    if (notify.isEmpty()) {
      return List.of();
    }
    try {
      return NotifyClient.receivers(notify.get().endpoint(), ServerCheck.SHORT);
    } catch (IOException e) {
      // It has answered before: it ends, which the next status shows.
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while notify was asked for its receivers", e);
    }
  }

  /** The tasks of each running job with tasks that do not run, by its id. */
  static Map<String, FlinkRest.Tasks> incompleteTasks(FlinkRest flink, List<FlinkRest.Job> jobs)
      throws IOException {
    Map<String, FlinkRest.Tasks> incomplete = new TreeMap<>();
    for (FlinkRest.Job job : jobs) {
      if (job.isRunning()) {
        FlinkRest.Tasks tasks = flink.tasks(job.id());
        if (tasks.running() < tasks.unfinished()) {
          incomplete.put(job.id(), tasks);
        }
      }
    }
    return incomplete;
  }

  /** A TaskManager that is gone reports nothing new. */
  private static Duration limit(List<FlinkRest.Job> jobs, Set<String> incomplete) {
    return jobs.stream()
            .filter(FlinkRest.Job::isRunning)
            .map(FlinkRest.Job::id)
            .allMatch(incomplete::contains)
        ? LostRecords.SHORT
        : FreshMetrics.LIMIT;
  }

  /**
   * The lines for a user.
   *
   * @param locationTopicPrefix of the location topics
   */
  public List<String> lines(String locationTopicPrefix, Instant now) {
    List<String> lines = new ArrayList<>();
    for (Server server : servers) {
      lines.add(
          "%-12s %-8s %s"
              .formatted(
                  server.name(),
                  server.answers() ? "up" : server.processRuns() ? "SILENT" : "DOWN",
                  server.answers() ? server.endpoint() : server.detail()));
    }
    for (ServerProcessState process : processes) {
      lines.add(
          "  %-15s %-8s pid %-8d %s"
              .formatted(
                  process.name(),
                  process.running() ? "running" : "ENDED",
                  process.pid(),
                  process.logFile()));
    }
    for (FlinkRest.Job job : flink.shown()) {
      FlinkRest.Tasks tasks = flink.tasks().get(job.id());
      lines.add(
          "job %s %-10s %s%s"
              .formatted(
                  job.id(),
                  job.state(),
                  job.name(),
                  tasks == null
                      ? ""
                      : " (only %d of %d tasks run)"
                          .formatted(tasks.running(), tasks.unfinished())));
    }
    flink.stopped().forEach(job -> lines.add(job.text()));
    upgrades.forEach(upgrade -> lines.add("UPGRADE  " + upgrade.text()));
    kafka
        .lag()
        .forEach(
            (group, topics) -> {
              long total = topics.values().stream().mapToLong(Long::longValue).sum();
              lines.add("lag %-24s %,d".formatted(group, total));
              topics.forEach((topic, lag) -> lines.add("    %-24s %,d".formatted(topic, lag)));
            });
    receivers.stream()
        .filter(NotifyClient.Receiver::hasLine)
        .forEach(receiver -> lines.add("alerts to " + receiver.text()));
    LocationReading.remedies(kafka.unread(), locationTopicPrefix)
        .forEach(remedy -> lines.add("UNREAD   " + remedy));
    ledgerLines(now).forEach(line -> lines.add("ledger " + line));
    unaccounted().forEach(text -> lines.add("UNACCOUNTED " + text));
    tooLate.text(now).ifPresent(text -> lines.add("TOO LATE " + text));
    flink.lostLines().forEach(text -> lines.add("LOST     " + text));
    overQuota.text().ifPresent(text -> lines.add("QUOTA    " + text));
    flink.uncounted().values().forEach(text -> lines.add("UNCOUNTED " + text));
    disk.lines().forEach(text -> lines.add("DISK     " + text));
    remedy().ifPresent(text -> lines.add("TO DO    " + text));
    return lines;
  }

  /** A line for each ledger, with the age of its checkpoint. */
  public List<String> ledgerLines(Instant now) {
    List<String> lines = new ArrayList<>();
    flink
        .ledger()
        .forEach(
            (job, it) ->
                lines.add(
                    job
                        + ": "
                        + it.text()
                        + Optional.ofNullable(flink.ledgerTriggered().get(job))
                            .map(at -> ", " + TimeText.ago(Instant.parse(at), now))
                            .orElse("")));
    return lines;
  }

  /** What to do about servers of the local stack that do not run or answer; empty if all do. */
  public Optional<String> remedy() {
    List<String> ended =
        processes.stream()
            .filter(process -> !process.running())
            .map(ServerProcessState::name)
            .toList();
    String first = disk.remedy().map(it -> it + " first; then ").orElse("");
    if (!ended.isEmpty()) {
      return Optional.of(
          "%slastfix up starts %s again%s"
              .formatted(
                  first,
                  String.join(", ", ended),
                  flink.tasks().isEmpty() ? "" : "; Flink then resumes the jobs by itself"));
    }
    List<String> silent =
        servers.stream()
            .filter(server -> server.processRuns() && !server.answers())
            .map(Server::name)
            .toList();
    return silent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%sread the log of %s; if a later lastfix status still prints SILENT: lastfix down, then lastfix up"
                .formatted(first, String.join(", ", silent)));
  }

  /** A line for each job whose ledger does not balance. */
  public List<String> unaccounted() {
    List<String> lines = new ArrayList<>();
    flink
        .ledger()
        .forEach((job, it) -> it.problem().ifPresent(problem -> lines.add(job + ": " + problem)));
    return lines;
  }

  /** The upgrades that have not ended. */
  static List<UnfinishedUpgrade> upgrades(SubmittedJobs submitted) {
    List<UnfinishedUpgrade> upgrades = new ArrayList<>();
    try {
      for (String name : submitted.names()) {
        Optional<UpgradeRecord> upgrade = submitted.findCurrentUpgrade(name);
        if (upgrade.isPresent()) {
          upgrades.add(
              new UnfinishedUpgrade(
                  name,
                  upgrade.get().step().name(),
                  upgrade.get().since(),
                  submitted.find(name).orElseThrow().upgradeCommand()));
        }
      }
    } catch (IOException e) {
      throw new StackException("cannot read the unfinished upgrades: " + e.getMessage(), e);
    }
    return upgrades;
  }

  /**
   * The jobs submitted to a cluster that do not run, except those that a user cancelled, and those
   * with an unfinished upgrade: that starts them.
   */
  public static List<StoppedJob> stopped(
      SubmittedJobs submitted, String cluster, List<FlinkRest.Job> jobs) throws IOException {
    List<StoppedJob> stopped = new ArrayList<>();
    for (String name : submitted.names()) {
      if (jobs.stream().noneMatch(job -> job.isUnfinished(name))
          && submitted.findCurrentUpgrade(name).isEmpty()) {
        submitted
            .find(name)
            .filter(job -> job.submission().cluster().equals(cluster))
            .map(job -> job.updatedFrom(JobSituation.of(jobs, name)))
            .filter(job -> job.end() != SubmittedJob.End.CANCELED)
            .ifPresent(
                job ->
                    stopped.add(
                        new StoppedJob(name, job.resumeCommand(), UNEXPECTED.contains(job.end()))));
      }
    }
    return stopped;
  }

  /**
   * Queries one server.
   *
   * @param access empty: no address is known
   * @param patience the limit if its process exists
   */
  static Server server(
      StackState state, String name, Optional<ServerCheck> access, Duration patience) {
    if (access.isEmpty()) {
      String detail =
          state.isAddressTaken(name)
              ? Servers.takenAddress(name, state.endpoints().get(name))
              : "not started; run: lastfix up";
      return new Server(name, "", false, false, detail);
    }
    String address = access.get().address();
    boolean processRuns = address.equals(state.endpoints().get(name)) && state.isServing(name);
    Optional<ServerCheck.Failure> failure =
        access.get().within().apply(processRuns ? patience : ServerCheck.SHORT);
    String detail =
        failure
            .map(
                it ->
                    processRuns
                        ? "running, but not ready within %d s: %s"
                            .formatted(patience.toSeconds(), it.problem())
                        : it.detail())
            .orElse("");
    return new Server(name, Redaction.redact(address), failure.isEmpty(), processRuns, detail);
  }

  /** The groups under which jobs that have not ended read the catalogue. */
  static Set<String> catalogGroups(FlinkRest flink, List<FlinkRest.Job> jobs) throws IOException {
    Set<String> groups = new HashSet<>();
    for (FlinkRest.Job job : jobs) {
      String group =
          job.isOver() ? null : flink.jobParameters(job.id()).get(CatalogGroup.JOB_PARAMETER);
      if (group != null) {
        groups.add(group);
      }
    }
    return groups;
  }

  /**
   * Returns whether a group's lag is shown: the groups of earlier submissions are not.
   *
   * @param catalogGroups of jobs that have not ended
   */
  static boolean isShown(String name, Set<String> catalogGroups) {
    return name.startsWith(GROUP_PREFIX)
        && (!CatalogGroup.isOfOneStart(name) || catalogGroups.contains(name));
  }
}
