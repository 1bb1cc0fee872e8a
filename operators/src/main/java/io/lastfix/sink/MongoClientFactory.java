package io.lastfix.sink;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCompressor;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.concurrent.TimeUnit;

/** Makes the driver's client of the options. Every wait for a server is bounded. */
public final class MongoClientFactory {
  private MongoClientFactory() {}

  /**
   * Connects in the background: does not wait for a server, and does not fail where there is none.
   *
   * <p>But a {@code mongodb+srv} URI is resolved here, in the caller's thread: it waits for the TXT
   * record of DNS, for as long as Java's DNS client does, and fails where DNS does. (The SRV record
   * is looked up in the background.) A {@code mongodb} URI is not resolved here.
   *
   * @param connections how many operations may be in flight
   * @throws com.mongodb.MongoException if a {@code mongodb+srv} URI cannot be resolved
   */
  public static MongoClient create(MongoOptions options, int connections) {
    return MongoClients.create(settings(options, connections));
  }

  static MongoClientSettings settings(MongoOptions options, int connections) {
    long readMillis = options.readTimeout().toMillis();
    long connectMillis = options.connectTimeout().toMillis();
    long selectionMillis = options.serverSelectionTimeout().toMillis();
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(options.uri()))
        .applicationName(options.applicationName())
        .writeConcern(writeConcern(options))
        .retryWrites(true)
        .compressorList(options.compressors().stream().map(MongoClientFactory::compressor).toList())
        .applyToClusterSettings(
            cluster -> cluster.serverSelectionTimeout(selectionMillis, TimeUnit.MILLISECONDS))
        .applyToConnectionPoolSettings(
            pool ->
                pool.minSize(0)
                    .maxSize(connections)
                    .maxWaitTime(selectionMillis, TimeUnit.MILLISECONDS))
        .applyToSocketSettings(
            socket ->
                socket
                    .connectTimeout(connectMillis, TimeUnit.MILLISECONDS)
                    .readTimeout(readMillis, TimeUnit.MILLISECONDS))
        .build();
  }

  /** Half the read timeout: the server says that members are missing before we stop listening. */
  private static WriteConcern writeConcern(MongoOptions options) {
    String members = options.writeConcern();
    WriteConcern concern =
        members.chars().allMatch(Character::isDigit)
            ? new WriteConcern(Integer.parseInt(members))
            : new WriteConcern(members);
    return concern
        .withJournal(options.journaled())
        .withWTimeout(Math.max(1, options.readTimeout().toMillis() / 2), TimeUnit.MILLISECONDS);
  }

  private static MongoCompressor compressor(String name) {
    return switch (name) {
      case "zlib" -> MongoCompressor.createZlibCompressor();
      case "zstd" -> MongoCompressor.createZstdCompressor();
      case "snappy" -> MongoCompressor.createSnappyCompressor();
      default -> throw new IllegalArgumentException("compressors: unknown " + name);
    };
  }
}
