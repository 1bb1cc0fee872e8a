package io.lastfix.audit;

/** What a record in a message asks of History. */
enum Demand {
  /** It must be there. */
  REQUIRED(0),
  /** It was rejected when it came, and could be read now: it may be there, after a replay. */
  REJECTED(1),
  /** Its message is not committed yet: it may be there. */
  NOT_DUE(2),
  /** Its message came after the audit had begun: it may be there, and counts nowhere. */
  LATER(3),
  /** Its partition is expired: it may be there, or rejected, or dropped; it counts nowhere. */
  EXPIRED(4);

  private final int code;

  Demand(int code) {
    this.code = code;
  }

  /** How it is written into a database. */
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
