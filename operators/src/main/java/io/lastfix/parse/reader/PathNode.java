package io.lastfix.parse.reader;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.profile.Profile.Pairs;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A profile's paths as a tree, with one node for each element or member on a path. The decoder
 * moves through the tree as its reader moves through a record. It thus compares each name only with
 * the few names that are valid at that place.
 */
public final class PathNode {
  public static final int NO_SLOT = -1;
  private static final PathNode[] NO_CHILDREN = {};
  private static final AttributeSlot[] NO_ATTRIBUTES = {};
  private static final int[] NO_SLOTS = {};

  /** An attribute at the end of a path. */
  public record AttributeSlot(String name, int slot) {}

  private final String name;
  private final @Nullable PathNode parent;
  private final int id;
  private final byte[] nameBytes;
  private PathNode[] children = NO_CHILDREN;
  private AttributeSlot[] attributes = NO_ATTRIBUTES;
  private int slot = NO_SLOT;
  private boolean error;
  private boolean acceptsFraction;
  private boolean shape;
  private int[] arraySlots = NO_SLOTS;
  private @Nullable Pairs pairs;
  private @Nullable PathNode batch;
  private @Nullable TypeChoice choice;

  PathNode(String name, @Nullable PathNode parent, int id) {
    this.name = name;
    this.nameBytes = name.getBytes(UTF_8);
    this.parent = parent;
    this.id = id;
  }

  /** Returns the child of that name; null if no path leads there. */
  public @Nullable PathNode child(String childName) {
    for (PathNode child : children) {
      if (child.name.equals(childName)) {
        return child;
      }
    }
    return null;
  }

  /** Returns the child whose name in UTF-8 is in those bytes; null if no path leads there. */
  public @Nullable PathNode childNamed(byte[] content, int from, int to) {
    for (PathNode child : children) {
      if (Arrays.equals(child.nameBytes, 0, child.nameBytes.length, content, from, to)) {
        return child;
      }
    }
    return null;
  }

  /** Returns the node one step nearer to the record; null for the record itself. */
  public @Nullable PathNode parent() {
    return parent;
  }

  /** Returns a number from 0 on, unique in the tree. */
  int id() {
    return id;
  }

  /** Returns the slot of the text found here, or {@link #NO_SLOT}. */
  public int slot() {
    return slot;
  }

  public boolean hasSlot() {
    return slot != NO_SLOT;
  }

  public boolean hasChildren() {
    return children.length > 0;
  }

  public AttributeSlot[] attributes() {
    return attributes;
  }

  /** Returns true if a record that contains this node has no position. */
  boolean isError() {
    return error;
  }

  /** Returns how to choose if the record contains several of these; null: only one is valid. */
  public @Nullable TypeChoice choice() {
    return choice;
  }

  PathNode[] children() {
    return children;
  }

  void addChild(PathNode child) {
    children = Arrays.copyOf(children, children.length + 1);
    children[children.length - 1] = child;
  }

  void addAttribute(AttributeSlot attribute) {
    attributes = Arrays.copyOf(attributes, attributes.length + 1);
    attributes[attributes.length - 1] = attribute;
  }

  void setSlot(int slot) {
    this.slot = slot;
  }

  /** Returns true if a number with a fraction is valid here, as for seconds. */
  public boolean acceptsFraction() {
    return acceptsFraction;
  }

  public void acceptFraction() {
    acceptsFraction = true;
  }

  /** Returns true if {@link RecordFields#shape()} takes what is inside this element. */
  public boolean isShape() {
    return shape;
  }

  public void markShape() {
    shape = true;
  }

  /** Returns how a JSON array here lists the children; null if it does not. */
  public @Nullable Pairs pairs() {
    return pairs;
  }

  public void setPairs(Pairs pairs) {
    this.pairs = pairs;
  }

  /**
   * Returns where an element of a JSON array here stands, which is a record with what surrounds the
   * array; null if an array here holds no records.
   */
  public @Nullable PathNode batch() {
    return batch;
  }

  public void setBatch(PathNode stands) {
    batch = stands;
  }

  /** Returns the slots of the first elements of a JSON array; empty if none is expected here. */
  public int[] arraySlots() {
    return arraySlots;
  }

  void setArraySlots(int[] slots) {
    arraySlots = slots;
  }

  public void markError() {
    error = true;
  }

  public void setChoice(TypeChoice choice) {
    this.choice = choice;
  }

  /** Returns the path from the record to this node. */
  public String path() {
    return parent == null || parent.parent == null ? name : parent.path() + "/" + name;
  }
}
