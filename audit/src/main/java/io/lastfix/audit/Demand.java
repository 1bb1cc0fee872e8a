package io.lastfix.audit;

import java.util.List;

/** The consequence of a record in a message for History. */
enum Demand {
  /** It must be there. */
  REQUIRED,
  /** It was rejected and is readable now: it may be there, after a replay. */
  REJECTED,
  /** Its message is not committed yet: it may be there. */
  NOT_DUE,
  /** Its message arrived after the audit had begun: it may be there, and is not counted. */
  LATER,
  /** Its partition is expired: it may be stored, rejected or dropped, and is not counted. */
  EXPIRED;

  private static final List<Demand> ALL = List.of(values());

  /** The number that represents it in the scratch database. */
  int code() {
    return ALL.indexOf(this);
  }

  static Demand ofCode(int code) {
    return ALL.get(code);
  }
}
