package io.lastfix.cli.query;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a distance: {@code 500}, {@code 500m} or {@code 2.5km}. */
final class MetersConverter implements ITypeConverter<Double> {
  private static final Pattern DISTANCE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(m|km)?");
  private static final double METERS_PER_KILOMETER = 1000;

  @Override
  public Double convert(String text) {
    Matcher matcher = DISTANCE.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "expected a distance such as 500, 500m or 2.5km, found '" + text + "'");
    }
    double number = Double.parseDouble(matcher.group(1));
    return "km".equals(matcher.group(2)) ? number * METERS_PER_KILOMETER : number;
  }
}
