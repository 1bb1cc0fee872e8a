package io.lastfix.store.query;

import io.lastfix.model.CellId;

/**
 * Whom or what a question to History is about.
 *
 * @param field of History's documents
 * @param value it must have
 */
record Subject(String field, String value) {
  static Subject user(String user) {
    return new Subject("user", user);
  }

  static Subject cell(CellId cell) {
    return new Subject("cell", cell.toString());
  }
}
