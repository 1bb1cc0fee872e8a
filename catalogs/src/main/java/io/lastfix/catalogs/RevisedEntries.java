package io.lastfix.catalogs;

import io.lastfix.model.CellEntry;
import io.lastfix.model.Revision;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The entries that an import publishes.
 *
 * @param entries with the present time as their revision, by convention; but always after the
 *     entries that they replace, whatever clock those had
 * @param irreplaceable entries that would replace ones so far ahead that the job would reject a
 *     later revision
 */
public record RevisedEntries(List<CellEntry> entries, List<CellEntry> irreplaceable) {
  /**
   * Gives each entry its revision.
   *
   * @param nowMillis the present time, in milliseconds since 1970-01-01T00:00:00Z
   */
  public static RevisedEntries of(List<CellEntry> entries, long nowMillis) {
    List<CellEntry> revised = new ArrayList<>(entries.size());
    List<CellEntry> irreplaceable = new ArrayList<>();
    for (CellEntry entry : entries) {
      long replaced = entry.revision().number();
      if (replaced >= nowMillis + Revision.MAX_AHEAD_MILLIS) {
        irreplaceable.add(entry);
      } else {
        revised.add(
            entry.withRevision(Revision.OLDEST.withNumber(Math.max(nowMillis, replaced + 1))));
      }
    }
    return new RevisedEntries(revised, irreplaceable);
  }

  /**
   * Called after all others are published, so that one wrong clock does not block other cells.
   *
   * @throws IOException if there are irreplaceable ones
   */
  public void requireAllReplaceable() throws IOException {
    if (irreplaceable.isEmpty()) {
      return;
    }
    CellEntry first = irreplaceable.get(0);
    long replaced = first.revision().number();
    throw new IOException(
        "%,d of %,d entries were published. The others would have no effect (the first is cell %s): the published entry has revision %d (%s), more than a day ahead, and no entry of today can replace it. The clock of this machine or of another producer of the catalogue is wrong. Correct it, and for these cells publish the catalogue to a new topic (kafka.cells-topic)"
            .formatted(
                entries.size(),
                entries.size() + irreplaceable.size(),
                first.cell(),
                replaced,
                Instant.ofEpochMilli(replaced)));
  }
}
