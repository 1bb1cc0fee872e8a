package io.lastfix.store.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerId;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoAccessExceptionTest {
  private static final MongoOptions MONGO =
      MongoOptions.defaults("mongodb://u:hunter2@db.example/?authSource=a@b", "lastfix");
  private static final ServerAddress SERVER = new ServerAddress("db.example");

  @Test
  void aWrongPasswordIsARefusal() {
    MongoAccessException failure = MongoAccessException.of(MONGO, logIn(18), List.of());

    assertThat(failure.isRefused()).isTrue();
    assertThat(failure)
        .hasMessageStartingWith(
            "MongoDB at db.example refuses the user or the password of mongo.uri");
  }

  @Test
  void aMissingRightIsARefusal() {
    MongoAccessException failure = MongoAccessException.of(MONGO, command(13), List.of());

    assertThat(failure.isRefused()).isTrue();
    assertThat(failure)
        .hasMessageStartingWith("MongoDB at db.example gives no access to database lastfix");
  }

  @ParameterizedTest
  @ValueSource(ints = {91, 189, 11600})
  void aServerThatIsShuttingDownOrSteppingDownRefusesNobody(int code) {
    MongoAccessException failure = MongoAccessException.of(MONGO, logIn(code), List.of());

    assertThat(failure.isRefused()).isFalse();
    assertThat(failure.isUnanswered()).isTrue();
    assertThat(failure)
        .hasMessageStartingWith("MongoDB at db.example does not answer")
        .hasMessageContaining("error " + code)
        .hasMessageNotContaining("hunter2");
  }

  record Reason(Exception exception, boolean isRefusal, String says) {}

  static Stream<Reason> reasons() {
    return Stream.of(
        new Reason(new CertPathBuilderException("no path"), true, "mongo.tls.ca-file"),
        new Reason(
            new CertificateException("No name matching db.example found"), true, "for other hosts"),
        new Reason(new CertificateExpiredException("in 2020"), false, "has expired"),
        new Reason(
            new SSLHandshakeException("Remote host terminated the handshake"),
            false,
            "TLS failed"));
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void onlyAnUnknownAuthorityAndAWrongHostAreRefusalsOfTls(Reason reason) {
    MongoAccessException failure =
        MongoAccessException.of(MONGO, noServer(), List.of(wrapped(reason.exception())));

    assertThat(failure.isRefused()).isEqualTo(reason.isRefusal());
    assertThat(failure).hasMessageContaining(reason.says());
  }

  @Test
  void aConnectionThatIsClosedAtOnceMayBeARestart() {
    MongoAccessException failure =
        MongoAccessException.of(
            MONGO,
            noServer(),
            List.of(new MongoSocketReadException("Prematurely reached end of stream", SERVER)));

    assertThat(failure.isRefused()).isFalse();
    assertThat(failure.isUnanswered()).isFalse();
    assertThat(failure).hasMessageContaining("if it requires TLS, add");
  }

  static Stream<MongoException> losses() {
    return Stream.of(
        new MongoSocketReadException("Prematurely reached end of stream", SERVER),
        new MongoConnectionPoolClearedException(new ServerId(new ClusterId(), SERVER), null),
        new MongoNodeIsRecoveringException(answer(91), SERVER),
        noServer());
  }

  @ParameterizedTest
  @MethodSource("losses")
  void aServerThatEndsDuringAQueryIsLost(MongoException failure) {
    assertThat(MongoAccessException.isLost(failure)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 50, 96})
  void aStatementThatTheServerRefusesIsNoLoss(int code) {
    assertThat(MongoAccessException.isLost(command(code))).isFalse();
  }

  @Test
  void aLossSaysWhereWhatIsIncompleteAndWhatToDo() {
    MongoAccessException failure =
        MongoAccessException.lost(
            MONGO,
            "the output is incomplete",
            new MongoSocketReadException("Prematurely reached end of stream", SERVER));

    assertThat(failure.isRefused()).isFalse();
    assertThat(failure)
        .hasMessage(
            "MongoDB at db.example no longer answers: the output is incomplete; check that the"
                + " server runs, and run the command again"
                + " (com.mongodb.MongoSocketReadException: Prematurely reached end of stream)");
  }

  private static MongoException logIn(int code) {
    return new MongoSecurityException(
        MongoCredential.createCredential("u", "admin", "hunter2".toCharArray()),
        "Exception authenticating",
        command(code));
  }

  private static MongoCommandException command(int code) {
    return new MongoCommandException(answer(code), SERVER);
  }

  private static BsonDocument answer(int code) {
    return new BsonDocument("ok", new BsonInt32(0)).append("code", new BsonInt32(code));
  }

  private static MongoException noServer() {
    return new MongoTimeoutException("Timed out");
  }

  private static Exception wrapped(Exception cause) {
    return new MongoSocketReadException("Exception receiving message", SERVER, cause);
  }
}
