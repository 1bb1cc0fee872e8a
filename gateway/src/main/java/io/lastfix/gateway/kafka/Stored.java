package io.lastfix.gateway.kafka;

/**
 * Where Kafka keeps a record, by its acknowledgement.
 *
 * @param topic the name
 * @param partition the number
 * @param offset in the partition; -1 where the broker knows the record already from an earlier
 *     attempt and no longer knows where it is
 */
public record Stored(String topic, int partition, long offset) {}
