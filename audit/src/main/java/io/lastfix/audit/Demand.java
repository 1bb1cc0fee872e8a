package io.lastfix.audit;

/** The consequence of a record in a message for History. */
enum Demand {
  /** It must be there. */
  REQUIRED(0),
  /** It was rejected and is readable now: it may be there, after a replay. */
  REJECTED(1),
  /** Its message is not committed yet: it may be there. */
  NOT_DUE(2),
  /** Its message arrived after the audit had begun: it may be there, and is not counted. */
  LATER(3),
  /** Its partition is expired: it may be stored, rejected or dropped, and is not counted. */
  EXPIRED(4);

  private final int code;

  Demand(int code) {
    this.code = code;
  }

  /** The number that represents it in the scratch database. */
  int code() {
    return code;
  }

  static Demand ofCode(int code) {
    for (Demand demand : values()) {
      if (demand.code == code) {
        return demand;
      }
    }
    throw new IllegalArgumentException("Unknown demand " + code);
  }
}
