package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MongoShapeTest {
  private static final Optional<Integer> UNSAID = Optional.empty();

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 11})
  void aNumberOfShardsOutOfRangeIsRefused(int shards) {
    assertThatThrownBy(() -> MongoShape.sharded(shards, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("MongoDB shards must be 1 to 10, not %d", shards);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8})
  void aNumberOfMembersOutOfRangeIsRefused(int members) {
    assertThatThrownBy(() -> MongoShape.sharded(1, members))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("MongoDB members must be 1 to 7, not %d", members);
  }

  @Test
  void whatIsNotAskedForStays() {
    MongoShape threeByTwo = MongoShape.sharded(3, 2);

    assertThat(threeByTwo.with(UNSAID, UNSAID, UNSAID)).isEqualTo(threeByTwo);
    assertThat(threeByTwo.with(UNSAID, Optional.of(4), UNSAID)).isEqualTo(new MongoShape(4, 2));
    assertThat(threeByTwo.with(UNSAID, UNSAID, Optional.of(3))).isEqualTo(new MongoShape(3, 3));
    assertThat(threeByTwo.with(Optional.of(1), UNSAID, UNSAID)).isEqualTo(new MongoShape(0, 1));
    assertThat(MongoShape.replicaSet(3).with(UNSAID, Optional.of(2), UNSAID))
        .as("members of a replica set say nothing about shards")
        .isEqualTo(new MongoShape(2, 1));
  }

  @ParameterizedTest
  @CsvSource({"3,", ",3"})
  void membersOfAReplicaSetAreRefusedTogetherWithShards(Integer shards, Integer replicas) {
    assertThatThrownBy(
            () ->
                MongoShape.replicaSet(1)
                    .with(
                        Optional.of(3), Optional.ofNullable(shards), Optional.ofNullable(replicas)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--mongo-members applies to a stack without shards");
  }

  @Test
  void replicasOfNoShardsAreRefused() {
    assertThatThrownBy(() -> MongoShape.replicaSet(1).with(UNSAID, UNSAID, Optional.of(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--replicas needs --shards");
  }

  @Test
  void theShapeOfLastTimeIsKnownByItsPorts() {
    Map<String, Integer> twoByThree =
        Map.ofEntries(
            Map.entry("kafka", 9092),
            Map.entry("config-0", 1),
            Map.entry("config-1", 2),
            Map.entry("config-2", 3),
            Map.entry("shard-0-0", 4),
            Map.entry("shard-0-1", 5),
            Map.entry("shard-0-2", 6),
            Map.entry("shard-1-0", 7),
            Map.entry("shard-1-1", 8),
            Map.entry("shard-1-2", 9),
            Map.entry("mongos-0", 10),
            Map.entry("mongos-1", 11));

    assertThat(fromLastStart(twoByThree)).isEqualTo(new MongoShape(2, 3));
    assertThat(fromLastStart(Map.of("mongod-0", 1, "mongod-1", 2))).isEqualTo(new MongoShape(0, 2));
    assertThat(fromLastStart(Map.of())).isEqualTo(new MongoShape(0, 1));
    assertThat(twoByThree.keySet().stream().filter(port -> !MongoShape.ownsPort(port)))
        .containsExactly("kafka");
  }

  private static MongoShape fromLastStart(Map<String, Integer> ports) {
    return MongoShape.fromLastStart(new StackState(List.of(), ports, Map.of()));
  }

  @Test
  void dataOfAnotherShapeAreRefusedWithWhatToDo() throws Exception {
    StackHome home = new StackHome(directory);
    assertThatCode(() -> MongoShape.sharded(3, 1).requireFits(home)).doesNotThrowAnyException();
    leaveData(home, "mongod-0");

    assertThatCode(() -> MongoShape.replicaSet(1).requireFits(home)).doesNotThrowAnyException();
    assertThatThrownBy(() -> MongoShape.sharded(3, 1).requireFits(home))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("were created without shards, and cannot be sharded in place")
        .hasMessageContaining("lastfix down --purge");
  }

  @Test
  void shardsCanBeAddedButNotTakenAway() throws Exception {
    StackHome home = new StackHome(directory);
    for (String server : List.of("config-0", "shard-0-0", "shard-1-0", "shard-2-0")) {
      leaveData(home, server);
    }

    assertThatCode(() -> MongoShape.sharded(4, 1).requireFits(home)).doesNotThrowAnyException();
    assertThatThrownBy(() -> MongoShape.sharded(2, 1).requireFits(home))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("on more shards than 2");
    assertThatThrownBy(() -> MongoShape.replicaSet(1).requireFits(home))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("are sharded, and cannot be turned into one replica set in place");
  }

  @Test
  void aServerOfAShardedClusterWhosePortIsTakenIsNotMoved() throws Exception {
    StackHome home = new StackHome(directory);
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = other.getLocalPort();
      StackState before = new StackState(List.of(), Map.of("shard-0-0", port), Map.of());
      ServerSite site =
          new ServerSite(
              home,
              before,
              KnownStacks.seenFrom(
                  home, Map.of("XDG_STATE_HOME", directory.toString()), line -> {}));
      assertThat(site.lastingPort("shard-0-0", port)).as("without data").isNotEqualTo(port);
      leaveData(home, "shard-0-0");

      assertThatThrownBy(() -> site.lastingPort("shard-0-0", port))
          .isInstanceOf(StackException.class)
          .hasMessageStartingWith(
              "another program uses port %d, and shard-0-0 of the sharded MongoDB cannot move",
              port);
    }
  }

  private static void leaveData(StackHome home, String server) throws Exception {
    Files.writeString(home.dataDirectory(server).resolve("WiredTiger"), "");
  }
}
