# Runs a gateway. Build it from the repository's root, after its class path:
#
#   mvn -q -pl local/servers/gateway -am -DskipTests package
#   docker build -f docker/gateway.Dockerfile -t lastfix-gateway:1.0.0 .

# Any image with Java 17 or later on its PATH.
ARG JAVA_IMAGE=eclipse-temurin:17-jre
FROM ${JAVA_IMAGE}

COPY local/servers/gateway/target/lib /opt/lastfix/lib
COPY config/gateway.yaml /opt/lastfix/config/gateway.yaml
COPY LICENSE NOTICE /opt/lastfix/

# Java reads it itself. Size it as config/gateway.yaml says at limits.budget and mqtt.budget.
ENV JDK_JAVA_OPTIONS="-Xms128m -Xmx512m"

# By number: Kubernetes' runAsNonRoot cannot judge a name.
USER 9999:9999
EXPOSE 8480

# No shell between: Java itself gets SIGTERM, and open requests get their answers. A gateway without memory ends, so that
# it is started again. In a container, loopback reaches nobody; the arguments that follow may say otherwise.
ENTRYPOINT ["java", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", "-cp", "/opt/lastfix/lib/*", "io.lastfix.gateway.Main", "--set", "http.address=0.0.0.0"]
CMD ["--config", "/opt/lastfix/config/gateway.yaml"]
