package io.lastfix.cli.audit;

import io.lastfix.cli.audit.tree.FoundRecord;

/**
 * A record in one message.
 *
 * @param publishedMillis Kafka's timestamp of the message, milliseconds since 1970
 */
record Sighting(FoundRecord record, long publishedMillis, Demand demand) {}
