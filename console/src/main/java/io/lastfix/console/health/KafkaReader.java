package io.lastfix.console.health;

import org.apache.kafka.clients.admin.Admin;

/** Reads a part of the health from Kafka. At most one call of a part runs at a time. */
public interface KafkaReader {
  /**
   * Returns the fields of the part, see {@link HealthReader}.
   *
   * @param admin the client of all parts, which the reader must not close
   */
  Object read(Admin admin) throws Exception;
}
