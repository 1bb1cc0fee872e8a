package io.lastfix.stack;

import java.util.List;
import java.util.Optional;

/**
 * How many of what MongoDB consists of.
 *
 * @param shards 0 for a plain replica set, else 1 to 10
 * @param members of the replica set, or of each shard and of the config servers: 1 to 7, MongoDB's
 *     limit of voting members
 */
public record MongoShape(int shards, int members) {
  /** Each takes a port from a range of its own; see {@link ShardedMongo}. */
  private static final int MAX_SHARDS = 10;

  private static final List<String> PORT_PREFIXES =
      List.of(
          MongoServer.PROCESS_PREFIX,
          ShardedMongo.CONFIG_PREFIX,
          ShardedMongo.SHARD_PREFIX,
          ShardedMongo.ROUTER_PREFIX);

  /** Checks the ranges. */
  public MongoShape {
    if (shards < 0 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "MongoDB shards must be 1 to " + MAX_SHARDS + ", not " + shards);
    }
    if (members < 1 || members > 7) {
      throw new IllegalArgumentException("MongoDB members must be 1 to 7, not " + members);
    }
  }

  /** One replica set. */
  public static MongoShape replicaSet(int members) {
    return new MongoShape(0, members);
  }

  /** Shards behind routers. */
  public static MongoShape sharded(int shards, int membersOfEach) {
    if (shards < 1) {
      throw new IllegalArgumentException(
          "MongoDB shards must be 1 to " + MAX_SHARDS + ", not " + shards);
    }
    return new MongoShape(shards, membersOfEach);
  }

  /**
   * The same, as far as nothing else is asked for.
   *
   * @param replicaSetMembers asks for a plain replica set
   * @param shardCount asks for shards
   * @param shardMembers members of each shard
   * @throws IllegalArgumentException if these contradict each other, or are out of range
   */
  public MongoShape with(
      Optional<Integer> replicaSetMembers,
      Optional<Integer> shardCount,
      Optional<Integer> shardMembers) {
    if (replicaSetMembers.isPresent()) {
      if (shardCount.isPresent() || shardMembers.isPresent()) {
        throw new IllegalArgumentException(
            "--mongo-members is of a stack without shards, --replicas of one with --shards");
      }
      return replicaSet(replicaSetMembers.get());
    }
    if (shardCount.isPresent()) {
      return sharded(shardCount.get(), shardMembers.orElse(isSharded() ? members : 1));
    }
    if (shardMembers.isPresent() && !isSharded()) {
      throw new IllegalArgumentException("--replicas needs --shards");
    }
    return new MongoShape(shards, shardMembers.orElse(members));
  }

  /** Whether there are routers. */
  public boolean isSharded() {
    return shards > 0;
  }

  /** As many as the stack last had, or a replica set of one. */
  static MongoShape likeLastTime(StackState state) {
    int members = state.portsOf(ShardedMongo.CONFIG_PREFIX);
    return members == 0
        ? replicaSet(Math.max(1, state.portsOf(MongoServer.PROCESS_PREFIX)))
        : sharded(state.portsOf(ShardedMongo.SHARD_PREFIX) / members, members);
  }

  /** Whether the port is one of MongoDB's, of whatever shape. */
  static boolean ownsPort(String name) {
    return PORT_PREFIXES.stream().anyMatch(name::startsWith);
  }

  /**
   * A server's data belongs to the shape that it was made for.
   *
   * @throws StackException if the data in that home are of another one; it says what to do
   */
  void requireFits(StackHome home) {
    if (isSharded() && home.hasData(MongoServer.PROCESS_PREFIX + 0)) {
      throw new StackException(
          "MongoDB's data in %s were made without shards, and cannot become sharded in place; delete them with lastfix down --purge, or set %s to another directory"
              .formatted(home.data(), StackHome.ENVIRONMENT_VARIABLE));
    }
    if (!isSharded() && home.hasData(ShardedMongo.CONFIG_PREFIX + 0)) {
      throw new StackException(
          "MongoDB's data in %s are sharded, and cannot become one replica set in place; delete them with lastfix down --purge, or set %s to another directory"
              .formatted(home.data(), StackHome.ENVIRONMENT_VARIABLE));
    }
    if (isSharded() && home.hasData(ShardedMongo.shardPrefix(shards) + 0)) {
      throw new StackException(
          "MongoDB's data in %s are on more shards than %d; shards can be added, not taken away: delete them with lastfix down --purge"
              .formatted(home.data(), shards));
    }
  }
}
