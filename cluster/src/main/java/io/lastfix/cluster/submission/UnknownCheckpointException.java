package io.lastfix.cluster.submission;

import java.io.IOException;

/** A job may have a checkpoint that is not known here. */
public final class UnknownCheckpointException extends IOException {
  private final String finding;

  UnknownCheckpointException(SubmittedJob job) {
    this(
        "no checkpoint of job '%s' (%s) was found, but there may be one%s"
            .formatted(
                job.name(),
                job.id(),
                job.startedFrom() == null
                    ? ""
                    : ", newer than " + job.startedFrom() + ", from which it was started"));
  }

  private UnknownCheckpointException(String finding) {
    super(
        finding
            + ": name one with --from-savepoint, or give --afresh instead of --resume to start"
            + " without it");
    this.finding = finding;
  }

  /** The message without its advice, for a command with other advice. */
  public String finding() {
    return finding;
  }
}
