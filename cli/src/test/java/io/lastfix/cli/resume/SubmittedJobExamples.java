package io.lastfix.cli.resume;

import java.nio.file.Path;
import java.util.List;

/** Submitted jobs that tests begin with. */
final class SubmittedJobExamples {
  static final String ID = "a0b1c2d3e4f5061728394a5b6c7d8e9f";

  private SubmittedJobExamples() {}

  /** Just submitted, with its checkpoints under that folder. */
  static SubmittedJob withFilesUnder(Path directory) {
    return new SubmittedJob(
        "lastfix-location",
        ID,
        SubmittedJob.LOCAL_STACK,
        "/lib/lastfix-jobs-job.jar",
        "/etc/location.yaml",
        List.of("job.parallelism", "mongo.uri"),
        directory.resolve("checkpoints").toUri().toString(),
        directory.resolve("savepoints").toUri().toString(),
        null,
        null,
        SubmittedJob.End.NONE);
  }

  /** The same, started from there. */
  static SubmittedJob startedFrom(SubmittedJob job, String path) {
    return new SubmittedJob(
        job.name(),
        job.id(),
        job.cluster(),
        job.jar(),
        job.configFile(),
        job.overriddenKeys(),
        job.checkpointDirectory(),
        job.savepointDirectory(),
        path,
        job.latest(),
        job.end());
  }
}
