#!/bin/bash
# Starts a JobManager with the location job, or another one; the arguments are the job's (--config, --set).
#
# Without Flink's high availability a JobManager that starts again knows nothing of its last checkpoint: it would read on
# from the committed offsets, and records that waited for their cell in Flink's state would be lost. So it resumes from
# the newest checkpoint or savepoint under LASTFIX_STATE, if there is one.
#
# LASTFIX_STATE        folder with checkpoints/ and savepoints/, shared with the TaskManagers (/var/lib/lastfix)
# LASTFIX_JOB_CLASS    another job's class (io.lastfix.jobs.LocationJob); its state needs a folder of its own
# LASTFIX_RESUME_FROM  a checkpoint's or savepoint's folder instead of the newest; "nothing" for a start without state
set -euo pipefail

state=${LASTFIX_STATE:-/var/lib/lastfix}
resume_from=${LASTFIX_RESUME_FROM:-newest}

# Flink writes _metadata last, in one step: where there is one, the checkpoint is complete.
newest_below() {
  find "$1" -name _metadata -printf '%T@ %h\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-
}

if [ ! -w "$state" ]; then
  echo "run-location-job: $state is not a folder that user $(id -u) may write; mount a volume there (LASTFIX_STATE)" >&2
  exit 1
fi
case $resume_from in
  newest) resume_from=$(newest_below "$state") ;;
  nothing) resume_from= ;;
esac

flink_arguments=(--job-classname "${LASTFIX_JOB_CLASS:-io.lastfix.jobs.LocationJob}")
job_arguments=()
if [ -n "$resume_from" ]; then
  flink_arguments+=(--fromSavepoint "$resume_from")
  # Flink deletes a claimed checkpoint once it has a newer one; a savepoint stays its owner's. The other checkpoints of the
  # former run stay, too: one of them is what is left if the newest is damaged. docs/operate/containers.md says how to delete old ones.
  # standalone-job has no option for it, and puts its default over what the configuration says; the job's word counts.
  case $resume_from in
    "$state"/checkpoints/*) job_arguments=(--set flink.execution.state-recovery.claim-mode=CLAIM) ;;
  esac
  echo "run-location-job: resuming from $resume_from"
else
  echo "run-location-job: no checkpoint to resume from"
fi

# Behind "--" Flink leaves all to the job. Without it, Flink takes --config for its own --configDir.
exec /docker-entrypoint.sh standalone-job "${flink_arguments[@]}" -- "$@" "${job_arguments[@]}"
