package io.lastfix.store.query;

import io.lastfix.model.CellId;

/**
 * The user or cell that a query of History selects.
 *
 * @param field field of History's documents
 * @param value required value
 */
record Subject(String field, String value) {
  static Subject user(String user) {
    return new Subject("user", user);
  }

  static Subject cell(CellId cell) {
    return new Subject("cell", cell.toString());
  }
}
