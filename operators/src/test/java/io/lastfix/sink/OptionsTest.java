package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import io.lastfix.store.connect.MongoClientFactory;
import io.lastfix.store.connect.MongoOptions;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import io.lastfix.store.provision.ProvisionMode;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.util.InstantiationUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {
  private static final MongoOptions MONGO =
      MongoOptions.defaults("mongodb://someone:s3cret@db1:27017,db2/?replicaSet=rs0", "lastfix");
  private static final LastKnownLocationOptions LAST_KNOWN_LOCATION =
      new LastKnownLocationOptions("last_known_location", false, false, false);

  @Test
  void theChosenIndexesAndShardKeyAreInTheDescriptions() {
    assertThat(
            TestHistory.of(PartitionPeriod.MONTH, HistoryShardKey.USER, true)
                .description("history_2026_11"))
        .isEqualTo(
            new CollectionDescription(
                "history_2026_11",
                KeyPattern.ascending("user", "ts"),
                List.of(KeyPattern.ascending("user", "ts")),
                List.of(KeyPattern.ascending("cell", "ts"))));
    assertThat(TestHistory.MONTHS.description("history_2026_11"))
        .isEqualTo(
            new CollectionDescription(
                "history_2026_11",
                KeyPattern.hashed("user", "ts"),
                List.of(KeyPattern.ascending("user", "ts")),
                List.of()));
    assertThat(new LastKnownLocationOptions("newest", true, true, true).description())
        .isEqualTo(
            new CollectionDescription(
                "newest",
                KeyPattern.hashed("_id"),
                List.of(),
                List.of(
                    KeyPattern.sphere("last.loc"),
                    KeyPattern.ascending("last.cell", "last.ts"),
                    KeyPattern.sphere("fix.loc"))));
  }

  static Stream<ThrowingCallableCase> badValues() {
    return Stream.of(
        bad(
            "collectionPrefix: expected 1 to 60 letters, digits, _ or -, found \"a.b\"",
            () ->
                new HistoryOptions(
                    PartitionPeriod.DAY,
                    "a.b",
                    HistoryShardKey.USER_HASHED,
                    false,
                    "",
                    null,
                    List.of())),
        bad(
            "collection: expected 1 to 60 letters, digits, _ or -, found \"\"",
            () -> new LastKnownLocationOptions("", false, false, false)),
        bad(
            "database: expected 1 to 60 letters, digits, _ or -, found \"a b\"",
            () -> MongoOptions.defaults("mongodb://localhost", "a b")),
        badWriteConcern("0"),
        badWriteConcern("-3"),
        badWriteConcern("51"),
        badWriteConcern("99999999999"),
        badWriteConcern(" "),
        bad(
            "readTimeout: expected 1 ms or more, found PT0S",
            () -> MONGO.withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO)));
  }

  @ParameterizedTest
  @MethodSource("badValues")
  void aBadValueIsNamedWithWhatWasExpectedAndFound(ThrowingCallableCase bad) {
    assertThatThrownBy(bad.call())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(bad.message());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "http://x", "mongodb://", "mongodb+srv://", "mongodb://u:p@s3cret@h"})
  void aBadUriIsRefusedWithoutRepeatingIt(String uri) {
    assertThatThrownBy(() -> MongoOptions.defaults(uri, "lastfix"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasNoCause()
        .hasMessage(
            "uri: expected mongodb://[user:password@]host[:port][/][?options] or mongodb+srv://…,"
                + " with user and password percent-encoded");
  }

  @Test
  void thePasswordIsInNoText() {
    assertThat(MONGO)
        .hasToString("MongoOptions[hosts=db1:27017,db2, database=lastfix, writeConcern=majority]");
  }

  @Test
  void optionsAndSinksTravelToTheCluster() throws Exception {
    for (Serializable part :
        List.of(MONGO, options().build(), TestHistory.MONTHS, LAST_KNOWN_LOCATION)) {
      assertThat(InstantiationUtil.clone(part)).isEqualTo(part);
    }
    assertThat(
            InstantiationUtil.clone(
                new HistorySink(MONGO, options().build(), TestHistory.MONTHS, ProvisionMode.AUTO)))
        .isNotNull();
    assertThat(
            InstantiationUtil.clone(
                new LastKnownLocationSink(
                    MONGO, options().build(), LAST_KNOWN_LOCATION, ProvisionMode.AUTO)))
        .isNotNull();
  }

  @Test
  void everyWaitOfTheDriverIsBoundedByTheOptions() {
    MongoClientSettings settings =
        MongoClientFactory.settings(
            MONGO.withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4)),
            3);

    assertThat(settings.getClusterSettings().getServerSelectionTimeout(TimeUnit.SECONDS))
        .isEqualTo(1);
    assertThat(settings.getConnectionPoolSettings().getMaxWaitTime(TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(settings.getSocketSettings().getConnectTimeout(TimeUnit.SECONDS)).isEqualTo(2);
    assertThat(settings.getSocketSettings().getReadTimeout(TimeUnit.SECONDS)).isEqualTo(4);
    assertThat(settings.getConnectionPoolSettings().getMaxSize()).isEqualTo(3);
    assertThat(settings.getWriteConcern())
        .isEqualTo(WriteConcern.MAJORITY.withJournal(true).withWTimeout(2, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?retryWrites=true", "?retryWrites=false"})
  void sinksHaveNoRetryableWritesWhateverTheUriSays(String inUri) {
    MongoClientSettings settings =
        MongoClientFactory.sinkSettings(
            MongoOptions.defaults("mongodb://db1/" + inUri, "lastfix"), 3);

    assertThat(settings.getRetryWrites()).isFalse();
    assertThat(settings.getConnectionPoolSettings().getMaxSize()).isEqualTo(3);
    assertThat(settings.getWriteConcern().getWObject())
        .isEqualTo(WriteConcern.MAJORITY.getWObject());
  }

  @ParameterizedTest
  @CsvSource({"'',true", "?retryWrites=true,true", "?retryWrites=false,false"})
  void otherClientsRetryTheirWritesUnlessTheUriSaysNo(String inUri, boolean retries) {
    assertThat(
            MongoClientFactory.settings(
                    MongoOptions.defaults("mongodb://db1/" + inUri, "lastfix"), 1)
                .getRetryWrites())
        .isEqualTo(retries);
  }

  private static BulkOptionsBuilder options() {
    return new BulkOptionsBuilder();
  }

  private static ThrowingCallableCase badWriteConcern(String concern) {
    return bad(
        "writeConcern: expected majority, a number from 1 to 50, or the name of a custom write"
            + " concern, found \""
            + concern
            + "\": a write without acknowledgement can be lost without an error",
        () -> MONGO.withWriteConcern(concern));
  }

  private static ThrowingCallableCase bad(String message, ThrowingCallable call) {
    return new ThrowingCallableCase(message, call);
  }

  record ThrowingCallableCase(String message, ThrowingCallable call) {
    @Override
    public String toString() {
      return message;
    }
  }
}
