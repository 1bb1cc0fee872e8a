package io.lastfix.catalogs;

/** A catalogue file that must not be imported. The message names the file and says why. */
public final class CatalogRefusedException extends Exception {
  CatalogRefusedException(String message) {
    super(message);
  }
}
