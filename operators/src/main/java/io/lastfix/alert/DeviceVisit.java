package io.lastfix.alert;

import java.util.Iterator;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;

/**
 * Visits the devices that have a state, in several parts. Between those, states may change, come
 * and go: it returns each device that has one when it begins, and perhaps others.
 *
 * <p>The heap's keys cannot be read while they change, so they are listed first: the list shares
 * them with the state. RocksDB reads its own as they were at the beginning.
 */
final class DeviceVisit implements AutoCloseable {
  private final Stream<String> opened;
  private final Iterator<String> users;

  /**
   * Begins a visit.
   *
   * @param state its name
   */
  DeviceVisit(KeyedStateBackend<String> backend, String state) {
    opened = backend.getKeys(state, VoidNamespace.INSTANCE);
    users =
        backend instanceof HeapKeyedStateBackend<?>
            ? opened.toList().iterator()
            : opened.iterator();
  }

  boolean hasNext() {
    return users.hasNext();
  }

  String next() {
    return users.next();
  }

  @Override
  public void close() {
    opened.close();
  }
}
