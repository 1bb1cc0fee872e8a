package io.lastfix.operate.rules;

import io.lastfix.catalogs.CellEntryException;
import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Revision;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceShape;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The cells that the catalogue has in a fence.
 *
 * @param config has the catalogue's topic
 */
public record FenceCells(LocationJobConfig config) {
  /** So that a command takes seconds. A larger catalogue is not read. */
  private static final long MAX_MESSAGES = 200_000;

  /**
   * Returns a warning if a fence is too small for the circles of cells in it, or if that was not
   * checked: the catalogue is too large, or the user may lack the right to read it.
   *
   * @param certainty the least share of a circle that counts as inside
   */
  public Optional<String> warning(Fence fence, double certainty) {
    FenceShape shape = new FenceShape(fence);
    Map<CellId, Double> radii;
    try {
      Map<TopicPartition, Range> ranges =
          KafkaAdmin.ranges(config.kafka(), config.kafka().cellsTopic());
      if (ranges.values().stream().mapToLong(it -> it.end() - it.begin()).sum() > MAX_MESSAGES) {
        return notChecked(
            fence,
            "the topic %s has more than %,d messages"
                .formatted(config.kafka().cellsTopic(), MAX_MESSAGES));
      }
      radii = radiiIn(shape, ranges);
    } catch (IOException e) {
      return notChecked(fence, String.valueOf(e.getMessage()));
    }
    double most = shape.radiusMeters(certainty);
    long larger = radii.values().stream().filter(meters -> meters > most).count();
    return larger == 0
        ? Optional.empty()
        : Optional.of(
            "The fence %s is too small for %,d of the %,d cells in it: positions at them hardly ever count as inside"
                .formatted(fence.id(), larger, radii.size()));
  }

  private static Optional<String> notChecked(Fence fence, String reason) {
    return Optional.of(
        "Whether the fence %s is too small for the cells in it is not checked: %s"
            .formatted(fence.id(), reason));
  }

  /** Of a cell's messages, the last one counts. */
  private Map<CellId, Double> radiiIn(FenceShape fence, Map<TopicPartition, Range> ranges)
      throws IOException {
    Map<CellId, Double> radii = new HashMap<>();
    new TopicReader(config.kafka()::clientProperties)
        .read(
            ranges,
            message -> {
              CellEntry entry;
              try {
                entry = CellEntryJson.read(message.key(), message.value(), Revision.OLDEST);
              } catch (CellEntryException e) {
                return;
              }
              radii.remove(entry.cell());
              entry.towers().stream()
                  .map(tower -> tower.versionAt(Long.MAX_VALUE))
                  .filter(version -> fence.contains(version.position()))
                  .mapToDouble(this::radiusMeters)
                  .max()
                  .ifPresent(meters -> radii.put(entry.cell(), meters));
            });
    return radii;
  }

  private double radiusMeters(CellVersion version) {
    return version.rangeMeters() == 0
        ? config.rules().judge().cellRadiusMeters()
        : version.rangeMeters();
  }
}
