package io.lastfix.cli.job;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.Jobs.Job;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The base class of the commands on one streaming job. */
abstract class StreamJobCommand extends JsonCommand {
  @Parameters(
      paramLabel = "JOB",
      completionCandidates = StreamNames.class,
      description = "The job: ${COMPLETION-CANDIDATES}.")
  Job job = Jobs.LOCATION;

  @Mixin final AccessOptions options = new AccessOptions();

  final boolean isLocationJob() {
    return job.equals(Jobs.LOCATION);
  }
}
