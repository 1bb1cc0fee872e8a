package io.lastfix.parse;

/**
 * Finds the members of an array whose JSON is malformed somewhere, by strings and brackets alone.
 * In well-formed JSON it finds what a parser finds.
 */
final class JsonMembers {
  /** The result if a member or an array does not end. */
  static final int NOWHERE = -1;

  private JsonMembers() {}

  /**
   * Returns the offset after the object or array that starts at {@code from}; {@link #NOWHERE} if
   * it does not end.
   *
   * <p>An object ends with the brace that closes it, whatever square brackets are inside, so that
   * one bracket too many does not take the next members with it.
   */
  static int valueEnd(byte[] content, int from) {
    byte open = content[from];
    byte close = (byte) (open == '{' ? '}' : ']');
    int depth = 0;
    int at = from;
    while (at != NOWHERE && at < content.length) {
      byte b = content[at];
      if (b == close && --depth == 0) {
        return at + 1;
      }
      depth += b == open ? 1 : 0;
      at = b == '"' ? stringEnd(content, at) : at + 1;
    }
    return NOWHERE;
  }

  /**
   * Returns the offset of the next object or array, or of the bracket that ends this array; {@link
   * #NOWHERE} if the object around the array ends before.
   *
   * @param from an offset inside the array, and inside none of its members
   * @param isInObject false: no object is around the array, so that a closing brace is one too many
   */
  static int next(byte[] content, int from, boolean isInObject) {
    int at = from;
    while (at != NOWHERE && at < content.length) {
      byte b = content[at];
      if (b == '{' || b == '[' || b == ']') {
        return at;
      }
      if (b == '}' && isInObject) {
        return NOWHERE;
      }
      at = b == '"' ? stringEnd(content, at) : at + 1;
    }
    return NOWHERE;
  }

  /**
   * Returns the offset of the bracket that ends an array in an object.
   *
   * @param from the offset after the bracket that starts it
   */
  static int arrayEnd(byte[] content, int from) {
    int at = next(content, from, true);
    while (at != NOWHERE && content[at] != ']') {
      int end = valueEnd(content, at);
      at = end == NOWHERE ? NOWHERE : next(content, end, true);
    }
    return at;
  }

  /**
   * Returns the number of objects in a well-formed array, also in arrays in it.
   *
   * @param from the offset after the bracket that starts it
   */
  static int objects(byte[] content, int from) {
    int objects = 0;
    int depth = 1;
    int at = from;
    while (depth > 0 && at != NOWHERE && at < content.length) {
      byte b = content[at];
      if (b == '{') {
        objects++;
        at = valueEnd(content, at);
      } else {
        depth += b == '[' ? 1 : 0;
        depth -= b == ']' ? 1 : 0;
        at = b == '"' ? stringEnd(content, at) : at + 1;
      }
    }
    return objects;
  }

  private static int stringEnd(byte[] content, int from) {
    int at = from + 1;
    while (at < content.length && content[at] != '"') {
      at += content[at] == '\\' ? 2 : 1;
    }
    return at < content.length ? at + 1 : NOWHERE;
  }
}
