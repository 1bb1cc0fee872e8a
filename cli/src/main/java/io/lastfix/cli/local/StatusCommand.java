package io.lastfix.cli.local;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.operate.status.DiskSpace;
import io.lastfix.operate.status.StackStatus;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the servers, the jobs and their lag. */
@Command(
    name = "status",
    description = {
      "Shows the servers, the Flink jobs and their Kafka lag.",
      "A server of the local stack is SILENT if its process runs but it does not answer within"
          + " 20 s.",
      "A line 'alerts to' shows what a receiver of the local stack's notify has got since its start,"
          + " and why it gets no more.",
      "UNREAD names a location topic with records that no running job reads.",
      "TOO LATE has the number of located records that the analytics job's numbers lack because they"
          + " came too late, and their time. It is there if nothing has added them for 12 hours:"
          + " lastfix supervise and lastfix analyze late do.",
      "LOST has the number of those that Kafka had deleted before the analytics or rules job read them,"
          + " since it was started without a savepoint.",
      "QUOTA names devices over their bytes of the UTC day: the local stack's gateway refuses what they"
          + " send.",
      "UNCOUNTED names an analytics or rules job that gets no records, because the location job"
          + " does not write the topic that it reads.",
      "ledger accounts for all records of a location job since its ledger began, at its last completed"
          + " checkpoint, with its age. If Flink does not report that within 15 s, it is that of an"
          + " earlier one. UNACCOUNTED names a job with records that are lost or counted twice.",
      "DISK names a disk of the local stack with less than 5 % free, and each server that met a full one, by its"
          + " log.",
      "TO DO shows how to start what has ENDED, and what to do if a server is SILENT. A job whose"
          + " TaskManager has ended is RUNNING for Flink although only some of its tasks run, or"
          + " none.",
      "UPGRADE names a job whose upgrade is under way or was interrupted, and the command that"
          + " continues it."
    },
    exitCodeList = {
      "0:all is well",
      "1:a server is DOWN or SILENT, a process or job has ENDED, records are UNACCOUNTED, or the"
          + " command failed",
      "2:wrong usage"
    },
    footer = "  lastfix status")
public final class StatusCommand extends JsonCommand {
  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() {
    LocationJobConfig config = options.load();
    StackHome home = StackHome.locate(System.getenv());
    StackStatus status;
    try {
      status = StackStatus.collect(home, options.access(), config.source().abandonedTopics());
    } catch (RuntimeException e) {
      // A server on a full disk may fail in any way.
      try {
        DiskSpace.of(home).lines().forEach(text -> say("DISK     " + text));
      } catch (StackException unreadable) {
        e.addSuppressed(unreadable);
      }
      throw e;
    }
    print(status, status.lines(config.kafka().locationTopicPrefix(), Instant.now()));
    return status.healthy() && status.unaccounted().isEmpty() ? 0 : 1;
  }
}
