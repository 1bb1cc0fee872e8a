package io.lastfix.catalogs;

/** The import rejects a catalogue file. The message names the file and the reason. */
public final class CatalogRefusedException extends Exception {
  CatalogRefusedException(String message) {
    super(message);
  }
}
