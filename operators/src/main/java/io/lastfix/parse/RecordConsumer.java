package io.lastfix.parse;

import io.lastfix.model.LocationRecord;

/** Takes what a {@link RecordDecoder} finds in a message, in the order in which it stands there. */
public interface RecordConsumer {
  /** A record that is complete and within all limits. */
  void record(LocationRecord record);

  /** One or several records, or a whole message, that cannot be used. */
  void rejected(Rejection rejection);
}
