package io.lastfix.store.connect;

import java.util.regex.Pattern;

/** Error messages of the server, without the contents of documents that they may quote. */
public final class ServerMessages {
  private static final Pattern QUOTED = Pattern.compile("(?s)[{}\"](.*[{}\"])?");

  private ServerMessages() {}

  /**
   * Removes everything from the first brace or double quote to the last one. There the server
   * quotes keys, commands and whole documents, and quoted text may itself contain braces and
   * quotes.
   */
  public static String withoutContents(String message) {
    return QUOTED.matcher(message).replaceFirst("{…}");
  }
}
