package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.connect.MongoTls;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;

/**
 * The keys {@code mongo.} and {@code provision}: how the job reaches MongoDB, and whether it makes
 * collections.
 */
final class MongoKeys {
  static final Key<String> URI =
      Key.text(
              key("mongo.uri")
                  .stringType()
                  .defaultValue("mongodb://127.0.0.1:27017/?replicaSet=lastfix")
                  .withDescription(
                      "Connection string. Keep passwords out of this file: write ${NAME} for an"
                          + " environment variable or ${file:/path} for a file's content."))
          .secret();

  static final Key<String> TLS_CA_FILE =
      Key.of(
          key("mongo.tls.ca-file")
              .stringType()
              .noDefaultValue()
              .withDescription(
                  "PEM file with the certificates of the authorities that may have signed"
                      + " MongoDB's; not set: those that Java trusts. Read when the job is"
                      + " submitted, so that no TaskManager needs it. TLS itself is switched on by"
                      + " tls=true in mongo.uri; certificates and host names are then always"
                      + " checked."));

  static final Key<String> TLS_CERTIFICATE_KEY_FILE =
      Key.of(
          key("mongo.tls.certificate-key-file")
              .stringType()
              .noDefaultValue()
              .withDescription(
                  "PEM file with the client's certificate and its unencrypted PKCS #8 key, for a"
                      + " MongoDB that asks for one. Read when the job is submitted."));

  static final Key<String> DATABASE =
      Key.name(
          key("mongo.database")
              .stringType()
              .defaultValue("lastfix")
              .withDescription(
                  "Database of both collections, unless last-known-location.database says"
                      + " otherwise."));

  static final Key<String> WRITE_CONCERN =
      Key.of(
              key("mongo.write-concern")
                  .stringType()
                  .defaultValue("majority")
                  .withDescription(
                      "'majority', or a number of members. Less than majority can lose what a"
                          + " checkpoint counted as stored when a primary fails."))
          .where(
              concern -> !concern.isBlank() && !concern.equals("0"),
              "majority, a number of 1 or more, or the name of a write concern");

  static final Key<Duration> TIMEOUT =
      Key.positive(
          key("mongo.timeout")
              .durationType()
              .defaultValue(Duration.ofSeconds(30))
              .withDescription(
                  "How long one bulk may take, and one search for a server; then it is tried"
                      + " again."));

  static final Key<ProvisionMode> PROVISION =
      Key.of(
          key("provision")
              .enumType(ProvisionMode.class)
              .defaultValue(ProvisionMode.AUTO)
              .withDescription(
                  "What is done about collections, indexes and shards that are missing. 'auto':"
                      + " they are made, before the first record. 'check': the job fails, and says"
                      + " which command makes them; a record of a period that is over is rejected"
                      + " instead ('no-partition', 'lastfix partitions create'). 'off': nobody"
                      + " looks (but for history.on-other-period); the first insert then makes a"
                      + " collection without indexes and without shards. What is there and"
                      + " disagrees fails the job with 'auto' and 'check'."));

  private MongoKeys() {}

  /** How to reach History. */
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
                .withWriteConcern(writeConcern, true)
                .withTimeouts(timeout, timeout, timeout)
                .withTls(tls),
        MongoOptions.defaults(URI.defaultValue(), database));
  }
}
