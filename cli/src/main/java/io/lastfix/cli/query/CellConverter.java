package io.lastfix.cli.query;

import io.lastfix.model.CellId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a cell in the documents' form. */
final class CellConverter implements ITypeConverter<CellId> {
  @Override
  public CellId convert(String text) {
    try {
      return CellId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage() + " in '" + text + "'");
    }
  }
}
