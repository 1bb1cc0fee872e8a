# The lastfix command, and with it the console. Build it from the repository's root, after the archive:
#
#   mvn -q -DskipTests package
#   docker build -f docker/command.Dockerfile -t lastfix-command:1.0.0 .

# Any image with Java 17 or later on its PATH.
ARG JAVA_IMAGE=eclipse-temurin:17-jre
FROM ${JAVA_IMAGE}

# Docker unpacks it. Two archives in dist/target would be two folders, and mv would fail the build.
ADD dist/target/lastfix-*.tar.gz /opt/
RUN mv /opt/lastfix-* /opt/lastfix

# The command's own state; user 9999 may write nowhere else.
ENV LASTFIX_HOME=/tmp/lastfix

# By number: Kubernetes' runAsNonRoot cannot judge a name.
USER 9999:9999
ENTRYPOINT ["/opt/lastfix/bin/lastfix"]
CMD ["--help"]
