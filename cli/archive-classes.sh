#!/bin/sh
# Makes target/lastfix.jsa, from which a JVM takes the command's classes half a second faster than from their jars (class
# data sharing): those that "status" loads where no server answers. The build runs it: archive-classes.sh JAVA
#
# A JVM of another kind, or that finds other jars, ignores the archive. But half of one crashes it, so what is not known
# to be whole is never put in place; without one the command just starts slower.
set -eu
java=$1
target=$(cd "$(dirname "$0")" && pwd -P)/target
archive=$target/lastfix.jsa

rm -f "$archive" "$archive.java"
work=$(mktemp -d "$target/class-data.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
limit=
if command -v timeout >/dev/null; then limit="timeout 60"; fi
exit_code=0
# shellcheck disable=SC2086 # Two words, or none.
LASTFIX_HOME=$work/home $limit "$java" -XX:ArchiveClassesAtExit="$work/archive" -XX:+UseSerialGC \
  -XX:TieredStopAtLevel=1 -Dlastfix.root="$target/../.." -cp "$target/lastfix-cli.jar:$target/lib/*" \
  io.lastfix.cli.Lastfix status --json --mongo-uri=mongodb://127.0.0.1:1 --kafka=127.0.0.1:1 \
  --flink=http://127.0.0.1:1 >"$target/class-data.log" 2>&1 || exit_code=$?

# 1: no server answers, and the JVM came to its end.
if [ "$exit_code" -eq 1 ] && [ -s "$work/archive" ]; then
  # The lastfix script looks there whether it is of the JVM that it starts.
  "$java" -version >"$archive.java" 2>&1
  mv "$work/archive" "$archive"
else
  echo "no archive of the command's classes (exit code $exit_code), it starts slower: see $target/class-data.log"
fi
