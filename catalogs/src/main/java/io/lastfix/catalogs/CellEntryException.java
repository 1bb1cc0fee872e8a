package io.lastfix.catalogs;

/**
 * A message of {@code lastfix.cells} that is no catalogue entry. The message begins with the path
 * of what is wrong and holds nothing of the payload.
 */
public final class CellEntryException extends Exception {
  CellEntryException(String path, String reason) {
    super(path + ": " + reason);
  }
}
