package io.lastfix.sink;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterType;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;

/** The driver's interfaces without a server: methods answer as the test configures them. */
final class FakeMongo {
  /** The result or exception of a method. */
  interface Answer {
    Object get() throws Exception;
  }

  final MongoClient client;
  final MongoDatabase database;
  final MongoCollection<BsonDocument> collection;
  private final Map<String, Answer> answers = new HashMap<>();

  @SuppressWarnings("unchecked")
  FakeMongo() {
    client = (MongoClient) proxy(MongoClient.class);
    database = (MongoDatabase) proxy(MongoDatabase.class);
    collection = (MongoCollection<BsonDocument>) proxy(MongoCollection.class);
    on("getNamespace", () -> new MongoNamespace("lastfix.history_2026_11"));
    on("getCollection", () -> collection);
    on(
        "getClusterDescription",
        () ->
            new ClusterDescription(
                ClusterConnectionMode.SINGLE, ClusterType.STANDALONE, List.of()));
  }

  void on(String method, Answer answer) {
    answers.put(method, answer);
  }

  private Object proxy(Class<?> type) {
    return Proxy.newProxyInstance(
        FakeMongo.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> {
          Answer answer = answers.get(method.getName());
          if (answer == null) {
            throw new UnsupportedOperationException(method.toString());
          }
          return answer.get();
        });
  }
}
