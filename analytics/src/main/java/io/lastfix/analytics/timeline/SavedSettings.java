package io.lastfix.analytics.timeline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;

/**
 * Keeps the settings that results depend on in the state, and refuses to continue with others:
 * results before and after each record are compared, and by other settings a device would leave a
 * place that it never came to.
 *
 * <p>Its state is one text {@code key=value} for each setting, which every subtask reads and the
 * first one writes. A state without it is of an earlier build, and is accepted.
 */
final class SavedSettings {
  private final Map<String, String> settings;
  private final ListState<String> state;

  /**
   * Compares the settings with those of the state.
   *
   * @throws SuppressRestartsException if they differ; its cause names each, and what to do
   */
  SavedSettings(TimelineOptions options, FunctionInitializationContext context) throws Exception {
    settings = settings(options);
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("settings", StringSerializer.INSTANCE));
    List<String> differences = new ArrayList<>();
    for (String saved : state.get()) {
      String key = saved.substring(0, saved.indexOf('='));
      String value = settings.get(key);
      if (value != null && !saved.equals(key + "=" + value)) {
        differences.add(
            "%s was %s, and is %s".formatted(key, saved.substring(key.length() + 1), value));
      }
    }
    if (!differences.isEmpty()) {
      throw new SuppressRestartsException(
          new IllegalStateException(
              "The job cannot continue from this savepoint, because it was taken with other settings: "
                  + String.join("; ", differences)
                  + ". Restore the former values; or submit the job without --resume, and let lastfix"
                  + " analyze replace the numbers of before"));
    }
  }

  /** Makes the settings part of the state. */
  void save(int subtask) throws Exception {
    state.update(
        subtask == 0
            ? settings.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .toList()
            : List.of());
  }

  private static Map<String, String> settings(TimelineOptions options) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("analytics.absence", options.absence().toMillis() + " ms");
    settings.put("analytics.ping-pong", options.pingPong().toMillis() + " ms");
    settings.put("analytics.minimum-stay", options.minimumStay().toMillis() + " ms");
    settings.put("analytics.area-level", Integer.toString(options.areaLevel()));
    return settings;
  }
}
