package io.lastfix.local;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a local MongoDB.
 *
 * @param shards 0 for a plain replica set, else 1 to 10
 * @param members of the replica set, or of each shard and of the config servers: 1 to 7, MongoDB's
 *     limit of voting members
 */
public record MongoShape(int shards, int members) {
  /** Each shard takes ports from its own range; see {@link ShardedMongo}. */
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
   * This shape with the given changes; empty arguments change nothing.
   *
   * @param replicaSetMembers requests a plain replica set
   * @param shardCount requests shards
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
            "--mongo-members applies to a stack without shards, --replicas to one with --shards");
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

  /** Returns whether there are routers. */
  public boolean isSharded() {
    return shards > 0;
  }

  /** The shape of the last run, or a replica set of one. */
  static MongoShape fromLastStart(StackState state) {
    int members = state.portsOf(ShardedMongo.CONFIG_PREFIX);
    return members == 0
        ? replicaSet(Math.max(1, state.portsOf(MongoServer.PROCESS_PREFIX)))
        : sharded(state.portsOf(ShardedMongo.SHARD_PREFIX) / members, members);
  }

  /** Returns whether the port belongs to MongoDB, in any shape. */
  static boolean ownsPort(String name) {
    return PORT_PREFIXES.stream().anyMatch(name::startsWith);
  }

  /**
   * Checks that the data on disk belongs to this shape.
   *
   * @throws StackException if the data in that home are of another shape, with the remedy
   */
  void requireFits(StackHome home) {
    if (isSharded() && home.hasData(MongoServer.PROCESS_PREFIX + 0)) {
      throw new StackException(
          "MongoDB's data in %s were created without shards, and cannot be sharded in place: delete them with lastfix down --purge, or set %s to another directory"
              .formatted(home.data(), StackHome.ENVIRONMENT_VARIABLE));
    }
    if (!isSharded() && home.hasData(ShardedMongo.CONFIG_PREFIX + 0)) {
      throw new StackException(
          "MongoDB's data in %s are sharded, and cannot be turned into one replica set in place: delete them with lastfix down --purge, or set %s to another directory"
              .formatted(home.data(), StackHome.ENVIRONMENT_VARIABLE));
    }
    if (isSharded() && home.hasData(ShardedMongo.shardPrefix(shards) + 0)) {
      throw new StackException(
          "MongoDB's data in %s are on more shards than %d; shards can be added, not removed: delete the data with lastfix down --purge"
              .formatted(home.data(), shards));
    }
  }
}
