package io.lastfix.parse.reader;

import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.reader.PathNode.AttributeSlot;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds the tree of a profile's paths, and numbers the places ("slots") where texts go. */
public final class PathTree {
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z0-9_.-]+");

  private final PathNode root = new PathNode("", null, 0);
  private final List<String> slotPaths = new ArrayList<>();
  private int nodes = 1;
  private boolean hasPlainNames = true;

  /** The node of the record itself. */
  public PathNode root() {
    return root;
  }

  /** How many nodes there are; their ids are less. */
  public int nodes() {
    return nodes;
  }

  /**
   * Whether all names are of ASCII letters, digits and {@code _.-}, so that XML and JSON write them
   * as they are.
   */
  public boolean hasPlainNames() {
    return hasPlainNames;
  }

  /** The path of each slot, for messages. */
  public String[] slotPaths() {
    return slotPaths.toArray(String[]::new);
  }

  /** The slot of that path, made if need be; {@link PathNode#NO_SLOT} for no path. */
  public int slot(@Nullable FieldPath path) {
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

  /** The node where those names lead, made if need be. */
  public PathNode node(List<String> elements) {
    PathNode node = root;
    for (String element : elements) {
      PathNode child = node.child(element);
      if (child == null) {
        child = new PathNode(element, node, nodes++);
        node.addChild(child);
        hasPlainNames &= PLAIN_NAME.matcher(element).matches();
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
