package io.lastfix.local;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of Flink's reporter for Prometheus, without the port. Flink has hundreds of metrics
 * for each vertex. Reported are those that the rules and the dashboard use, and all that
 * docs/reference/metrics.md has an alert for.
 */
final class MetricsReporter {
  private static final String PREFIX = "metrics.reporter.prom.";

  /** Each a scope and its metrics. */
  private static final String INCLUDED =
      Stream.of(
              "jobmanager.job:numRestarts,numberOfFailedCheckpoints,numberOfCompletedCheckpoints,"
                  + "lastCheckpointDuration,lastCheckpointFullSize",
              "jobmanager:numRunningJobs,taskSlotsTotal,taskSlotsAvailable,numRegisteredTaskManagers",
              "*.Status.JVM.Memory.Heap:Used,Max",
              "taskmanager.job.task:busyTimeMsPerSecond,backPressuredTimeMsPerSecond",
              "taskmanager.job.task.operator:messages,bytes,records,recordsRejected,notRecords,"
                  + "entries,entriesRejected,positionIgnored,cellIgnored,partitionsWithoutProfile,"
                  + "catalogPartitionsReadAnew,sourceGaps,sourceRecordsLost,"
                  + "waitsForCatalog,pendingRecords,inserted,updated,duplicates,stale,retried,"
                  + "bufferedWrites,bulksInFlight,endToEndLatencyMillis,currentSendTime,"
                  + "numRecordsSendErrors,recordsForgotten,forgottenReadFailures,"
                  + "viewRefreshFailures,partitionsDropped,partitionDropFailures",
              "taskmanager.job.task.operator.KafkaSourceReader:commitsFailed,commitsSucceeded",
              "taskmanager.job.task.operator.deserializer:locatedUnreadable",
              "taskmanager.job.task.operator.*heartbeats:*",
              "taskmanager.job.task.operator.rejected:*",
              "taskmanager.job.task.operator.ledger:*",
              "taskmanager.job.task.operator.locate*:*",
              "taskmanager.job.task.operator.presence:*",
              "taskmanager.job.task.operator.distinct:*",
              "taskmanager.job.task.operator.timeline:*")
          .collect(Collectors.joining(";"));

  /** Labels that say no more than those that stay, and would make a new series at each restart. */
  private static final String LEFT_OUT =
      "host;job_id;task_id;task_attempt_id;task_attempt_num;operator_id";

  private MetricsReporter() {}

  static Map<String, String> settings() {
    return Map.of(
        PREFIX + "factory.class",
        "org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
        PREFIX + "filter.includes",
        INCLUDED,
        PREFIX + "scope.variables.excludes",
        LEFT_OUT);
  }
}
