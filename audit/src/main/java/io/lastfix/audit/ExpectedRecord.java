package io.lastfix.audit;

import io.lastfix.audit.tree.FoundRecord;

/**
 * A record in one message.
 *
 * @param publishedMillis Kafka's timestamp of the message, milliseconds since 1970
 */
record ExpectedRecord(FoundRecord record, long publishedMillis, Demand demand) {}
