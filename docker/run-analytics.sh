#!/bin/bash
# Submits the analytics job to its session cluster, unless it is there, and keeps it running, from its newest checkpoint
# if the JobManager was lost. lastfix supervise also adds the records that came too late for the numbers.
#
# LASTFIX_HOME      where lastfix remembers the job; on the volume with its checkpoints
# LASTFIX_FLINK     the session cluster
# LASTFIX_MONGO_URI, LASTFIX_KAFKA
set -euo pipefail

lastfix=/opt/lastfix/bin/lastfix
# Two slots of the TaskManager's four stay for analyses.
settings=(--config /opt/lastfix/config/location.yaml --set located.topic=lastfix.located --set job.parallelism=2)

mkdir -p "$LASTFIX_HOME"
# Refused if the job runs or has a checkpoint. After any other failure supervise has no job, and ends with an error.
"$lastfix" submit analytics "${settings[@]}" || echo "run-analytics: going on with the job that was submitted before"
exec "$lastfix" supervise analytics "${settings[@]}"
