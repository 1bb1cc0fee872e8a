package io.lastfix.it.harness;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.local.KafkaServer;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.connect.TestAuthority;
import io.lastfix.store.connect.TestAuthority.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * What a MongoDB and a Kafka are started with that let nobody in without TLS and a password. Their
 * certificate is by an authority made for the test, and for 127.0.0.1, not for localhost.
 */
public final class SecuredServers {
  /** The one user that Kafka knows. */
  public static final String KAFKA_USER = "lastfix-kafka";

  /** What the members of the replica set share; who has it is MongoDB's own {@code __system}. */
  private static final String KEY = "bWVtYmVycyBvZiB0aGUgdGVzdCdzIHJlcGxpY2Egc2V0";

  private static final String ROUTER_ADMINISTRATOR = "router-administrator";

  private static final String LOGIN_MODULE =
      "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";";

  private final String kafkaPassword;
  private final String authority;
  private final Identity server;
  private final Path caFile;
  private final Path keyFile;
  private final Path serverFile;

  public SecuredServers(Path directory, String kafkaPassword) throws Exception {
    this.kafkaPassword = kafkaPassword;
    TestAuthority made = new TestAuthority(directory);
    authority = made.certificate();
    server = made.issue("server", "RSA", "ip:127.0.0.1");
    caFile = Files.writeString(directory.resolve("ca.pem"), authority);
    serverFile = Files.writeString(directory.resolve("server.pem"), server.pem());
    keyFile =
        Files.writeString(
            Files.createFile(
                directory.resolve("key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
            KEY);
  }

  /** The authority's certificate. */
  public Path caFile() {
    return caFile;
  }

  List<String> mongodArguments() {
    return Stream.concat(Stream.of("--auth"), mongosArguments().stream()).toList();
  }

  /** A router checks its clients as soon as it has the key. */
  List<String> mongosArguments() {
    return List.of(
        "--keyFile",
        keyFile.toString(),
        "--tlsMode",
        "requireTLS",
        "--tlsCertificateKeyFile",
        serverFile.toString(),
        "--tlsCAFile",
        caFile.toString(),
        "--tlsAllowConnectionsWithoutCertificates");
  }

  /** Lets a client in as MongoDB's own user. */
  public void administrator(MongoClientSettings.Builder client) {
    client
        .credential(
            MongoCredential.createScramSha256Credential("__system", "local", KEY.toCharArray()))
        .applyToSslSettings(
            ssl -> ssl.enabled(true).context(new MongoTls(authority, null).context()));
  }

  /** Routers refuse {@code __system}, which is a user of {@code local}. */
  public void routerAdministrator(MongoClientSettings.Builder client) {
    administrator(client);
    client.credential(
        MongoCredential.createScramSha256Credential(
            ROUTER_ADMINISTRATOR, "admin", KEY.toCharArray()));
  }

  /** The config servers' users are those of the routers. */
  void createRouterAdministrator(MongoClient config) {
    MongoDatabase admin = config.getDatabase("admin");
    if (admin
        .runCommand(new Document("usersInfo", ROUTER_ADMINISTRATOR))
        .getList("users", Document.class)
        .isEmpty()) {
      admin.runCommand(
          new Document("createUser", ROUTER_ADMINISTRATOR)
              .append("pwd", KEY)
              .append("roles", List.of("root")));
    }
  }

  public MongoClient routerAdministrator(String uri) {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri));
    routerAdministrator(settings);
    return MongoClients.create(settings.build());
  }

  public MongoClient administrator(String uri) {
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder().applyConnectionString(new ConnectionString(uri));
    administrator(settings);
    return MongoClients.create(settings.build());
  }

  public KafkaServer.Security kafka() {
    String login = LOGIN_MODULE.formatted(KAFKA_USER, kafkaPassword);
    return new KafkaServer.Security(
        Map.of(
            "listener.security.protocol.map",
            "CLIENT:SASL_SSL,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms",
            "SCRAM-SHA-512",
            "sasl.mechanism.inter.broker.protocol",
            "SCRAM-SHA-512",
            "listener.name.client.scram-sha-512.sasl.jaas.config",
            login,
            "ssl.keystore.type",
            "PEM",
            "ssl.keystore.certificate.chain",
            server.certificate(),
            "ssl.keystore.key",
            server.key(),
            "ssl.truststore.type",
            "PEM",
            "ssl.truststore.certificates",
            authority),
        List.of(
            "--add-scram",
            "SCRAM-SHA-512=[name=%s,password=%s]".formatted(KAFKA_USER, kafkaPassword)),
        Map.of(
            "security.protocol",
            "SASL_SSL",
            "sasl.mechanism",
            "SCRAM-SHA-512",
            "sasl.jaas.config",
            login,
            "ssl.truststore.type",
            "PEM",
            "ssl.truststore.certificates",
            authority));
  }
}
