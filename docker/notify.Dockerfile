# Runs notify, which delivers alerts. Build it from the repository's root, after its class path:
#
#   mvn -q -pl local/servers/notify -am -DskipTests package
#   docker build -f docker/notify.Dockerfile -t lastfix-notify:1.0.0 .
#
# gateway.Dockerfile has the reasons of what follows.
ARG JAVA_IMAGE=eclipse-temurin:17-jre
FROM ${JAVA_IMAGE}

COPY local/servers/notify/target/lib /opt/lastfix/lib
COPY config/notify.yaml /opt/lastfix/config/notify.yaml
COPY LICENSE NOTICE /opt/lastfix/

ENV JDK_JAVA_OPTIONS="-Xms32m -Xmx128m"

USER 9999:9999
EXPOSE 8485

ENTRYPOINT ["java", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-cp", "/opt/lastfix/lib/*", "io.lastfix.notify.Main", "--set", "http.address=0.0.0.0"]
CMD ["--config", "/opt/lastfix/config/notify.yaml"]
