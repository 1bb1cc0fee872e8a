package io.lastfix.parse.reader;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.reader.PathNode.AttributeSlot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Builds the tree of a profile's paths, and assigns a slot number to each text. */
public final class PathTree {
  private final PathNode root = new PathNode("", null, 0);
  private final List<String> slotPaths = new ArrayList<>();
  private final BitSet strictSlots = new BitSet();
  private final BitSet cellSlots = new BitSet();
  private final List<int[]> wholes = new ArrayList<>();
  private int nodes = 1;

  /** Returns the node of the record itself. */
  public PathNode root() {
    return root;
  }

  /** Returns the number of nodes; their ids are smaller. */
  int nodes() {
    return nodes;
  }

  /** Returns the path of each slot, for messages. */
  public String[] slotPaths() {
    return slotPaths.toArray(String[]::new);
  }

  /**
   * Returns the slot of that path, creating it if absent; {@link PathNode#NO_SLOT} if there is no
   * path.
   */
  public int slot(@Nullable FieldPath path) {
    int slot = lenientSlot(path);
    if (slot != PathNode.NO_SLOT) {
      strictSlots.set(slot);
    }
    return slot;
  }

  /**
   * Returns the slot of a part of a cell: an unreadable value rejects the record only if it has no
   * usable position.
   */
  public int cellSlot(@Nullable FieldPath path) {
    int slot = lenientSlot(path);
    if (slot != PathNode.NO_SLOT) {
      cellSlots.set(slot);
    }
    return slot;
  }

  /**
   * Returns the slot of a path whose unreadable values do not reject the record, unless the same
   * path is also that of another field.
   */
  public int lenientSlot(@Nullable FieldPath path) {
    if (path == null) {
      return PathNode.NO_SLOT;
    }
    PathNode node = node(path.elements());
    String attribute = path.attribute();
    if (attribute == null) {
      if (!node.hasSlot()) {
        node.setSlot(newSlot(path));
      }
      return node.slot();
    }
    for (AttributeSlot existing : node.attributes()) {
      if (existing.name().equals(attribute)) {
        return existing.slot();
      }
    }
    AttributeSlot added = new AttributeSlot(attribute, newSlot(path));
    node.addAttribute(added);
    return added.slot();
  }

  /** Returns lenient slots for the first elements of the JSON array at that path. */
  public int[] arraySlots(FieldPath path, int count) {
    PathNode node = node(path.elements());
    if (node.arraySlots().length < count) {
      int[] slots = new int[count];
      for (int i = 0; i < count; i++) {
        slots[i] = newSlot(path);
      }
      node.setArraySlots(slots);
    }
    return node.arraySlots();
  }

  /**
   * Makes the slots one whole: a record of a batch has all of it itself, or all of it from what
   * surrounds the batch.
   *
   * @param slots may contain {@link PathNode#NO_SLOT}
   */
  public void join(IntStream slots) {
    wholes.add(slots.filter(slot -> slot != PathNode.NO_SLOT).distinct().toArray());
  }

  /** Returns the slots of each {@linkplain #join whole}. */
  List<int[]> wholes() {
    return wholes;
  }

  /** Returns true if an unreadable value in that slot rejects the record. */
  boolean isStrict(int slot) {
    return strictSlots.get(slot);
  }

  /** Returns true if an unreadable value in that slot makes the cell unreadable. */
  boolean isOfCell(int slot) {
    return cellSlots.get(slot);
  }

  /** Returns the node at the end of those names, creating it if absent. */
  public PathNode node(List<String> elements) {
    PathNode node = root;
    for (String element : elements) {
      PathNode child = node.child(element);
      if (child == null) {
        child = new PathNode(element, node, nodes++);
        node.addChild(child);
      }
      node = child;
    }
    return node;
  }

  private int newSlot(FieldPath path) {
    slotPaths.add(path.toString());
    return slotPaths.size() - 1;
  }
}
