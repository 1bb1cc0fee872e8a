package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;

/**
 * The keys {@code mongo.} and {@code provision}: how the job connects to MongoDB, and whether it
 * creates collections.
 */
final class MongoKeys {
  static final Key<String> URI =
      Key.text(
              "mongo.uri",
              "mongodb://127.0.0.1:27017/?replicaSet=lastfix",
              "Connection string of MongoDB. Keep passwords out of this file: write ${NAME} for an"
                  + " environment variable or ${file:/path} for a file's content.")
          .secret();

  static final Key<String> TLS_CA_FILE =
      Key.anyText(
          "mongo.tls.ca-file",
          null,
          "PEM file with the certificates of the authorities that may sign MongoDB's certificate. If"
              + " not set, the authorities that Java trusts. The submission reads the file, so no"
              + " TaskManager needs it. You switch TLS on with tls=true in mongo.uri; the job then"
              + " always checks certificates and host names.");

  static final Key<String> TLS_CERTIFICATE_KEY_FILE =
      Key.anyText(
          "mongo.tls.certificate-key-file",
          null,
          "PEM file with the client's certificate and its unencrypted PKCS #8 key, if MongoDB"
              + " requires one. The submission reads the file.");

  static final Key<String> DATABASE =
      Key.nameText(
          "mongo.database",
          "lastfix",
          "Database of History, and of Last Known Location unless last-known-location.database is"
              + " set.");

  static final Key<String> WRITE_CONCERN =
      Key.anyText(
              "mongo.write-concern",
              "majority",
              "Write concern: 'majority', or a number of members. With less than a majority, a failure"
                  + " of the primary can lose records that a checkpoint counted as stored.")
          .where(MongoOptions::isWriteConcern, MongoOptions.EXPECTED_WRITE_CONCERN);

  static final Key<Duration> TIMEOUT =
      Key.positiveDuration(
          "mongo.timeout",
          "30 s",
          "Time limit of one bulk, and of one server selection; after that the job retries.");

  static final Key<ProvisionMode> PROVISION =
      Key.oneOf(
          "provision",
          ProvisionMode.AUTO,
          "What the job does if collections, indexes or shards are missing. 'auto': it creates them"
              + " before the first record. 'check': it fails, and names the command that creates them;"
              + " it rejects a record of a past period instead ('no-partition', 'lastfix partitions"
              + " create'). 'off': it checks only history.on-other-period, and the first insert"
              + " creates a collection without indexes and without shards. If something exists but"
              + " differs from the configuration, the job fails with 'auto' and 'check'.");

  private MongoKeys() {}

  /** Returns the connection of History. */
  static MongoOptions read(SettingsReader reader) {
    Duration timeout = reader.get(TIMEOUT);
    String database = reader.get(DATABASE);
    String writeConcern = reader.get(WRITE_CONCERN);
    MongoTls tls =
        new MongoTls(
            reader.content(TLS_CA_FILE, MongoTls::requireCaCertificates),
            reader.content(TLS_CERTIFICATE_KEY_FILE, MongoTls::requireCertificateAndKey));
    return reader.convert(
        URI,
        uri ->
            MongoOptions.defaults(uri, database)
                .withWriteConcern(writeConcern)
                .withTimeouts(timeout, timeout, timeout)
                .withTls(tls),
        MongoOptions.defaults(URI.defaultValue(), database));
  }
}
