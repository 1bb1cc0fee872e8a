package io.lastfix.it.devices;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.store.presence.PresenceConverter;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a real server makes of the writes of presence. */
class PresenceDocumentsIT {
  private static final long T = 1_795_176_000_000L;

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  private static Presence presence(Presence.State state, long since, long seen) {
    return new Presence("a", state, T + since, T + seen, DeviceDescription.NONE);
  }

  /** All that a device had, in its order. */
  private static final List<Presence> LIFE =
      List.of(
          presence(Presence.State.ONLINE, 0, 0),
          presence(Presence.State.ONLINE, 0, 300),
          presence(Presence.State.OFFLINE, 330, 300),
          presence(Presence.State.FORGOTTEN, 1_330, 300),
          presence(Presence.State.ONLINE, 2_000, 2_000),
          presence(Presence.State.OFFLINE, 2_030, 2_000),
          presence(Presence.State.FORGOTTEN, 3_030, 2_000));

  @Test
  void aReplayFromAnyPointEndsInTheSameDocument() {
    for (int length = 1; length <= LIFE.size(); length++) {
      List<Presence> life = LIFE.subList(0, length);
      MongoCollection<BsonDocument> devices = collection("presence_replay_" + length);
      life.forEach(presence -> write(devices, presence));
      List<BsonDocument> expected = devices.find().into(new ArrayList<>());
      assertThat(expected)
          .hasSize(life.get(length - 1).state() == Presence.State.FORGOTTEN ? 0 : 1);

      for (int from = 0; from < length; from++) {
        life.subList(from, length).forEach(presence -> write(devices, presence));

        assertThat(devices.find().into(new ArrayList<>()))
            .as("%d changes, replayed from %d", length, from)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void theDocumentOfALaterSignOfLifeOutlivesALateForgetting() {
    MongoCollection<BsonDocument> devices = collection("presence_late");
    write(devices, LIFE.get(4));

    write(devices, LIFE.get(3));

    assertThat(devices.countDocuments()).isEqualTo(1);
  }

  private static MongoCollection<BsonDocument> collection(String database) {
    return mongo.getDatabase(database).getCollection("devices", BsonDocument.class);
  }

  private static void write(MongoCollection<BsonDocument> devices, Presence presence) {
    var unused = devices.bulkWrite(List.of(new PresenceConverter().apply(presence)));
  }
}
