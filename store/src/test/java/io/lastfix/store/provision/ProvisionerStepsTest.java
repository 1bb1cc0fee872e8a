package io.lastfix.store.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexModel;
import io.lastfix.store.provision.Step.CreateCollection;
import io.lastfix.store.provision.Step.CreateIndex;
import io.lastfix.store.provision.Step.ShardCollection;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** The commands that create a collection, and the reports if one of them fails. */
class ProvisionerStepsTest {
  private static final String NAME = "history_2026_11";
  private static final Step COLLECTION = new CreateCollection("lastfix", NAME);
  private static final KeyPattern BY_USER = KeyPattern.ascending("user", "ts");
  private static final KeyPattern BY_TIME = KeyPattern.ascending("ts");
  private static final Step USER_INDEX = new CreateIndex("lastfix", NAME, BY_USER);
  private static final Step TIME_INDEX = new CreateIndex("lastfix", NAME, BY_TIME);
  private static final Step SHARDS = new ShardCollection("lastfix", NAME, BY_USER, 0);

  private final CommandRecorder server = new CommandRecorder();
  private final List<Step> made = new ArrayList<>();

  /** Records the commands that change something; breaks the connection in one of them. */
  private static final class CommandRecorder {
    private final List<String> commands = new ArrayList<>();
    private final MongoClient client = proxy(MongoClient.class);
    private String breaking = "";

    private <T> T proxy(Class<T> type) {
      return type.cast(
          Proxy.newProxyInstance(
              CommandRecorder.class.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "getDatabase" -> proxy(MongoDatabase.class);
                    case "getCollection" -> proxy(MongoCollection.class);
                    case "createIndexes" -> ran("createIndexes " + keys((List<?>) arguments[0]));
                    case "createCollection" -> ran("createCollection");
                    case "runCommand" -> ran(((BsonDocument) arguments[0]).getFirstKey());
                    default -> throw new UnsupportedOperationException(method.toString());
                  }));
    }

    private static String keys(List<?> indexes) {
      return indexes.stream()
          .map(index -> ((IndexModel) index).getKeys().toBsonDocument().toJson())
          .collect(Collectors.joining(" "));
    }

    private Object ran(String command) {
      commands.add(command);
      if (!breaking.isEmpty() && command.startsWith(breaking)) {
        throw new MongoSocketReadException("broken", new ServerAddress());
      }
      return command.startsWith("createIndexes") ? List.of() : new Document();
    }
  }

  private void apply(Step... steps) {
    Provisioner.apply(
        server.client, new CollectionPlan("lastfix." + NAME, List.of(steps), List.of()), made::add);
  }

  @Test
  void oneCommandMakesTheCollectionAndItsIndexes() {
    apply(COLLECTION, USER_INDEX, TIME_INDEX);

    assertThat(server.commands)
        .containsExactly("createIndexes {\"user\": 1, \"ts\": 1} {\"ts\": 1}");
    assertThat(made).containsExactly(COLLECTION, USER_INDEX, TIME_INDEX);
  }

  @Test
  void ofACommandThatBreaksNothingIsReportedForNobodyKnowsWhatStands() {
    server.breaking = "createIndexes";

    assertThatThrownBy(() -> apply(COLLECTION, USER_INDEX, TIME_INDEX))
        .isInstanceOf(MongoSocketReadException.class);

    assertThat(made).isEmpty();
  }

  /** The plan of a collection that exists without the index. */
  @Test
  void anIndexThatIsMissingIsMadeByItself() {
    apply(TIME_INDEX);

    assertThat(server.commands).containsExactly("createIndexes {\"ts\": 1}");
    assertThat(made).containsExactly(TIME_INDEX);
  }

  @Test
  void shardsThatStandBeforeTheIndexesFailAreReported() {
    server.breaking = "createIndexes";

    assertThatThrownBy(() -> apply(SHARDS, TIME_INDEX))
        .isInstanceOf(MongoSocketReadException.class);

    assertThat(server.commands)
        .containsExactly("enableSharding", "shardCollection", "createIndexes {\"ts\": 1}");
    assertThat(made).containsExactly(SHARDS);
  }

  @Test
  void stepsBehindOneThatFailsAreNotTried() {
    server.breaking = "shardCollection";

    assertThatThrownBy(() -> apply(SHARDS, TIME_INDEX))
        .isInstanceOf(MongoSocketReadException.class);

    assertThat(server.commands).containsExactly("enableSharding", "shardCollection");
    assertThat(made).isEmpty();
  }
}
