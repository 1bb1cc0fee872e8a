package io.lastfix.store.connect;

/** What a server says about an error, without the contents of documents it may quote. */
public final class ServerMessages {
  private ServerMessages() {}

  /**
   * Leaves out all from the first brace or double quote to the last: there the server quotes keys,
   * commands and whole documents. Everything between them goes, for what is quoted may hold braces
   * and quotes itself.
   */
  public static String withoutContents(String message) {
    int first = message.length();
    int last = -1;
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      if (c == '{' || c == '}' || c == '"') {
        first = Math.min(first, i);
        last = i;
      }
    }
    return last < 0 ? message : message.substring(0, first) + "{…}" + message.substring(last + 1);
  }
}
