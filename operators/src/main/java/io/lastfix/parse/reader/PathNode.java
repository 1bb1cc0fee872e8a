package io.lastfix.parse.reader;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.profile.Profile.TypeChoice;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A profile's paths as a tree: one node for each element or member that some path goes through. A
 * decoder walks it as its reader moves through a record, so that each name is looked up among the
 * few names that matter at its place.
 */
public final class PathNode {
  public static final int NO_SLOT = -1;
  private static final PathNode[] NO_CHILDREN = {};
  private static final AttributeSlot[] NO_ATTRIBUTES = {};

  /** An attribute that some path leads to. */
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
  private @Nullable TypeChoice choice;

  /** The place of the child to look at first: behind the one found last, as records are alike. */
  private int likelyChild;

  PathNode(String name, @Nullable PathNode parent, int id) {
    this.name = name;
    this.nameBytes = name.getBytes(UTF_8);
    this.parent = parent;
    this.id = id;
  }

  /** The child of that name; null where no path goes there. */
  public @Nullable PathNode child(String childName) {
    for (PathNode child : children) {
      if (child.name.equals(childName)) {
        return child;
      }
    }
    return null;
  }

  /**
   * The child whose name stands there, up to that byte; null where no path goes there. Only for
   * {@linkplain PathTree#hasPlainNames plain names}.
   *
   * @param end a byte that no plain name has
   */
  public @Nullable PathNode child(byte[] content, int from, byte end) {
    for (int i = 0; i < children.length; i++) {
      int place = likelyChild + i;
      place -= place < children.length ? 0 : children.length;
      PathNode child = children[place];
      int behind = from + child.nameBytes.length;
      if (behind < content.length
          && content[behind] == end
          && isSame(child.nameBytes, content, from)) {
        likelyChild = place + 1;
        return child;
      }
    }
    return null;
  }

  private static boolean isSame(byte[] name, byte[] content, int from) {
    // Names are short: this takes less than a call of Arrays.equals.
    for (int i = 0; i < name.length; i++) {
      if (name[i] != content[from + i]) {
        return false;
      }
    }
    return true;
  }

  /** How many bytes a plain name has. */
  public int nameLength() {
    return nameBytes.length;
  }

  /** The node one step nearer to the record; null for the record itself. */
  public @Nullable PathNode parent() {
    return parent;
  }

  /** A number from 0 on, different for each node of a tree. */
  int id() {
    return id;
  }

  /** Where the text found here goes, or {@link #NO_SLOT}. */
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

  /** Whether a record that has this has no position. */
  boolean isError() {
    return error;
  }

  /** How to choose where several stand here; null: there may be just one. */
  public @Nullable TypeChoice choice() {
    return choice;
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

  /** Whether a number with a fraction may stand here, as seconds may have one. */
  public boolean acceptsFraction() {
    return acceptsFraction;
  }

  public void acceptFraction() {
    acceptsFraction = true;
  }

  public void markError() {
    error = true;
  }

  public void setChoice(TypeChoice choice) {
    this.choice = choice;
  }

  /** The path from the record to here. */
  String path() {
    return parent == null || parent.parent == null ? name : parent.path() + "/" + name;
  }
}
