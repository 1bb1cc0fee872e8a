package io.lastfix.store.connect;

import com.mongodb.ConnectionString;
import java.io.Serializable;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Connection to the MongoDB that the sinks write to. These values override the same options in the
 * URI.
 *
 * @param uri a connection string, {@code mongodb://…} or {@code mongodb+srv://…}; it contains the
 *     password, so {@link #toString()} shows the hosts only
 * @param database name of the database
 * @param writeConcern number of members that must acknowledge a write: {@code majority}, a number
 *     from 1 to 50, or the name of a custom write concern. Below {@code majority} a failover can
 *     undo writes that a checkpoint counts as stored
 * @param timeouts time limits
 * @param applicationName name in the server's log and in {@code currentOp}
 * @param tls the certificates; the URI decides whether connections use TLS
 */
public record MongoOptions(
    String uri,
    String database,
    String writeConcern,
    Timeouts timeouts,
    String applicationName,
    MongoTls tls)
    implements Serializable {

  private static final String SCHEME = "mongodb://";
  private static final String SRV_SCHEME = "mongodb+srv://";

  /** Options that the driver accepts only together with {@link #SRV_SCHEME}. */
  private static final Pattern SRV_OPTION = Pattern.compile("(?i)(?<=[?&;])srv[a-z]*=[^&;]*");

  private static final Pattern WHOLE_NUMBER = Pattern.compile("[-+]?\\d+");

  /** A replica set has at most 50 members. */
  private static final Pattern MEMBERS = Pattern.compile("[1-9]|[1-4]\\d|50");

  /** What {@link #isWriteConcern} accepts, for messages. */
  public static final String EXPECTED_WRITE_CONCERN =
      "majority, a number from 1 to 50, or the name of a custom write concern";

  /**
   * Time limits.
   *
   * @param serverSelection how long a bulk waits for a primary before it fails and is retried
   * @param connect limit for opening a connection
   * @param read how long a bulk waits for the server's answer; also the maximum time that a thread
   *     survives its closed sink
   */
  public record Timeouts(Duration serverSelection, Duration connect, Duration read)
      implements Serializable {
    public Timeouts {
      ArgumentChecks.atLeastOneMilli("serverSelectionTimeout", serverSelection);
      ArgumentChecks.atLeastOneMilli("connectTimeout", connect);
      ArgumentChecks.atLeastOneMilli("readTimeout", read);
    }
  }

  public MongoOptions {
    ConnectionString parsed = parse(uri);
    requireCheckedHosts(parsed);
    if (tls.isSet() && !usesTls(uri, parsed)) {
      throw new IllegalArgumentException(
          "uri: certificates for TLS are given, but the connection would not use TLS: add tls=true"
              + " to the URI's options");
    }
    ArgumentChecks.isName("database", database);
    if (!isWriteConcern(writeConcern)) {
      throw new IllegalArgumentException(
          "writeConcern: expected %s, found \"%s\": a write without acknowledgement can be lost without an error"
              .formatted(EXPECTED_WRITE_CONCERN, writeConcern));
    }
    ArgumentChecks.notBlank("applicationName", applicationName);
  }

  /** Returns whether a write with this concern is acknowledged, by 1 to 50 members or by a rule. */
  public static boolean isWriteConcern(String concern) {
    return WHOLE_NUMBER.matcher(concern).matches()
        ? MEMBERS.matcher(concern).matches()
        : !concern.isBlank();
  }

  /**
   * Options for this server and database; writes are acknowledged by the journals of the majority.
   */
  public static MongoOptions defaults(String uri, String database) {
    return new MongoOptions(
        uri,
        database,
        "majority",
        new Timeouts(Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60)),
        "lastfix",
        MongoTls.JAVA_DEFAULT);
  }

  /** Returns a copy with another connection string. */
  public MongoOptions withUri(String other) {
    return new MongoOptions(other, database, writeConcern, timeouts, applicationName, tls);
  }

  /** Returns a copy with another database. */
  public MongoOptions withDatabase(String other) {
    return new MongoOptions(uri, other, writeConcern, timeouts, applicationName, tls);
  }

  /** Returns a copy with another write concern. */
  public MongoOptions withWriteConcern(String other) {
    return new MongoOptions(uri, database, other, timeouts, applicationName, tls);
  }

  /** Returns a copy with other time limits. */
  public MongoOptions withTimeouts(Duration serverSelection, Duration connect, Duration read) {
    Timeouts other = new Timeouts(serverSelection, connect, read);
    return new MongoOptions(uri, database, writeConcern, other, applicationName, tls);
  }

  /** Returns a copy with another name in the server's log. */
  public MongoOptions withApplicationName(String other) {
    return new MongoOptions(uri, database, writeConcern, timeouts, other, tls);
  }

  /** Returns a copy with other certificates. */
  public MongoOptions withTls(MongoTls other) {
    return new MongoOptions(uri, database, writeConcern, timeouts, applicationName, other);
  }

  /** Returns how long a bulk waits for the server's answer. */
  public Duration readTimeout() {
    return timeouts.read();
  }

  /** Returns the host names of the URI, separated by commas. */
  public String hosts() {
    return String.join(",", parse(uri).getHosts());
  }

  /** Returns true if connections use TLS, as the driver reads the URI. */
  boolean usesTls() {
    return usesTls(uri, parse(uri));
  }

  private static boolean usesTls(String uri, ConnectionString parsed) {
    Boolean configured = parsed.getSslEnabled();
    return configured == null ? uri.startsWith(SRV_SCHEME) : configured;
  }

  private static void requireCheckedHosts(ConnectionString parsed) {
    if (Boolean.TRUE.equals(parsed.getSslInvalidHostnameAllowed())) {
      throw new IllegalArgumentException(
          "uri: tlsInsecure and tlsAllowInvalidHostnames are not allowed, because another"
              + " server could then impersonate MongoDB: connect by a host name that is in the"
              + " server's certificate, and name the certificate's authority if Java does not trust"
              + " it");
    }
  }

  /**
   * Parses the URI as the driver does, since the driver accepts several spellings of an option.
   *
   * <p>For {@code mongodb+srv} the driver would query DNS. That is the cluster's task, not the
   * submitting machine's, so such a URI is parsed as if it named its host directly. The driver's
   * messages can repeat parts of a password, so they are not passed on.
   */
  private static ConnectionString parse(String uri) {
    String direct =
        uri.startsWith(SRV_SCHEME)
            ? SCHEME + SRV_OPTION.matcher(uri.substring(SRV_SCHEME.length())).replaceAll("")
            : uri;
    try {
      return new ConnectionString(direct);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "uri: expected mongodb://[user:password@]host[:port][/][?options] or mongodb+srv://…,"
              + " with user and password percent-encoded");
    }
  }

  /** Leaves out the user, the password and the URI's options. */
  @Override
  public String toString() {
    return "MongoOptions[hosts=%s, database=%s, writeConcern=%s]"
        .formatted(hosts(), database, writeConcern);
  }
}
