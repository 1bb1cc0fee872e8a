package io.lastfix.store.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoNodeIsRecoveringException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketClosedException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoSocketWriteException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerId;
import java.io.IOException;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class WriteErrorClassifierTest {
  private static final ServerAddress ADDRESS = new ServerAddress("db1");

  @ParameterizedTest
  @ValueSource(
      ints = {
        6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, // The drivers' list.
        90, // A router that shuts down.
        24, 46, 50, 82, 112, 117, 133, 134, 202, 215, 249, 319, 13388, 402, 407, 453, 462, 91331,
        10045600
      })
  void whatMayGoAwayIsTransient(int code) {
    assertThat(WriteErrorClassifier.isTransient(code)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {365, 433, 449, 450})
  void aServerUnderPressureIsTransient(int code) {
    assertThat(WriteErrorClassifier.isTransient(code)).isTrue();
    assertThat(WriteErrorClassifier.isTransient(new MongoCommandException(answer(code), ADDRESS)))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 1, 2, 13, 18, 61, 66, 72, 121, 191, 234, 246, 250, 251, 264, 272, 290, 358, 371, 11000,
        14031, 16755, 17280
      })
  void whatWouldFailAgainIsNot(int code) {
    assertThat(WriteErrorClassifier.isTransient(code)).isFalse();
  }

  static Stream<MongoException> transientFailures() {
    return Stream.of(
        new MongoSocketOpenException("refused", ADDRESS, new IOException("refused")),
        new MongoSocketReadException("end of stream", ADDRESS),
        new MongoSocketReadTimeoutException("timeout", ADDRESS, new IOException("timeout")),
        new MongoSocketWriteException("broken pipe", ADDRESS, new IOException("broken pipe")),
        new MongoSocketClosedException("closed", ADDRESS),
        new MongoTimeoutException("no primary"),
        new MongoServerUnavailableException("the server is not there any more"),
        new MongoConnectionPoolClearedException(new ServerId(new ClusterId(), ADDRESS), null),
        new MongoInterruptedException("while waiting", new InterruptedException()),
        new MongoExecutionTimeoutException(50, "operation exceeded time limit"),
        new MongoNotPrimaryException(answer(10_107), ADDRESS),
        new MongoNodeIsRecoveringException(answer(91), ADDRESS),
        new MongoCommandException(answer(112), ADDRESS),
        new MongoSecurityException(
            credential(), "checking", new MongoSocketReadException("end of stream", ADDRESS)));
  }

  @ParameterizedTest
  @MethodSource("transientFailures")
  void aBulkThatMayGoThroughLaterIsTransient(MongoException failure) {
    assertThat(WriteErrorClassifier.isTransient(failure)).isTrue();
  }

  /** Without retryable writes, neither the server nor the driver labels an error as retryable. */
  @ParameterizedTest
  @ValueSource(ints = {6, 7, 89, 90, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436})
  void anElectionIsTransientWithoutAnybodysLabel(int code) {
    MongoException failure = asTheDriverThrows(code);

    assertThat(failure.getErrorLabels()).isEmpty();
    assertThat(WriteErrorClassifier.isTransient(failure)).isTrue();
    assertThat(WriteErrorClassifier.isTransient(code)).isTrue();
    assertThat(WriteErrorClassifier.isWriteConcernTransient(code)).isTrue();
  }

  /** Returns the exception that the driver throws for a server's answer to a whole command. */
  private static MongoException asTheDriverThrows(int code) {
    return switch (code) {
      case 10_107, 13_435 -> new MongoNotPrimaryException(answer(code), ADDRESS);
      case 91, 189, 11_600, 11_602, 13_436 ->
          new MongoNodeIsRecoveringException(answer(code), ADDRESS);
      case 50, 262 -> new MongoExecutionTimeoutException(code, "words");
      default -> new MongoCommandException(answer(code), ADDRESS);
    };
  }

  static Stream<MongoException> fatalFailures() {
    return Stream.of(
        new MongoCommandException(answer(13), ADDRESS),
        new MongoClientException("a bug"),
        new MongoSecurityException(
            credential(), "checking", new MongoCommandException(answer(18), ADDRESS)));
  }

  @ParameterizedTest
  @MethodSource("fatalFailures")
  void aBulkThatWouldFailAgainIsNot(MongoException failure) {
    assertThat(WriteErrorClassifier.isTransient(failure)).isFalse();
  }

  @Test
  void aWriteConcernThatCanNeverBeMetIsNot() {
    assertThat(WriteErrorClassifier.isWriteConcernTransient(64)).isTrue();
    assertThat(WriteErrorClassifier.isWriteConcernTransient(100)).isFalse();
    assertThat(WriteErrorClassifier.isWriteConcernTransient(79)).isFalse();
  }

  private static MongoCredential credential() {
    return MongoCredential.createCredential("someone", "admin", new char[0]);
  }

  private static BsonDocument answer(int code) {
    return new BsonDocument("ok", new BsonInt32(0))
        .append("code", new BsonInt32(code))
        .append("errmsg", new BsonString("words"));
  }
}
