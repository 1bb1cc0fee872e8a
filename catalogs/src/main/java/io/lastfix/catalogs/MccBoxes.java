package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.lastfix.model.Position;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The boxes in which each mobile country code is used. They are generous, as islands and borders
 * need, so a position outside of all of them is certainly elsewhere; one inside may be, too.
 *
 * <p>{@code catalogs/tools/mcc-boxes.mjs} makes the resource and names its sources.
 */
final class MccBoxes {
  private static final String RESOURCE = "mcc-boxes.csv";
  private static final Map<Integer, List<Box>> OF_MCC = load();

  /** All in degrees; none crosses the 180th meridian. */
  private record Box(int west, int south, int east, int north) {
    boolean contains(Position position) {
      return position.lon() >= west
          && position.lon() <= east
          && position.lat() >= south
          && position.lat() <= north;
    }
  }

  private MccBoxes() {}

  /** Returns whether the code is a country's; test networks, ships and satellites have others. */
  static boolean areKnown(int mcc) {
    return OF_MCC.containsKey(mcc);
  }

  /** Returns whether a network of that code can be heard at that position. */
  static boolean contain(int mcc, Position position) {
    return OF_MCC.getOrDefault(mcc, List.of()).stream().anyMatch(box -> box.contains(position));
  }

  private static Map<Integer, List<Box>> load() {
    Map<Integer, List<Box>> boxes = new HashMap<>();
    try (InputStream in =
            Objects.requireNonNull(MccBoxes.class.getResourceAsStream(RESOURCE), RESOURCE);
        CsvReader<NamedCsvRecord> lines = CsvReader.builder().ofNamedCsvRecord(in, UTF_8)) {
      for (CsvRecord line : lines) {
        boxes
            .computeIfAbsent(number(line, 0), absent -> new ArrayList<>())
            .add(new Box(number(line, 1), number(line, 2), number(line, 3), number(line, 4)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Reading " + RESOURCE + " failed", e);
    }
    return boxes;
  }

  private static int number(CsvRecord line, int column) {
    return Integer.parseInt(line.getField(column));
  }
}
