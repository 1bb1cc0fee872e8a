package io.lastfix.store.connect;

/** Error messages of the server, without the contents of documents that they may quote. */
public final class ServerMessages {
  private ServerMessages() {}

  /**
   * Removes everything from the first brace or double quote to the last one. There the server
   * quotes keys, commands and whole documents, and quoted text may itself contain braces and
   * quotes.
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
