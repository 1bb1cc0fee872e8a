package io.lastfix.gateway;

import io.lastfix.kit.config.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file of the users of HTTP Basic: {@code USER:HASH} in each line, {@code #} before comments.
 */
final class BasicUsersFile {
  /** A user is the key of a record in Kafka, and a header's value. */
  private static final Pattern LINE = Pattern.compile("([!-9;-~]{1,128}):([0-9a-fA-F]{64})");

  private BasicUsersFile() {}

  /**
   * Returns the hash of each user's password.
   *
   * @throws IllegalArgumentException naming the first wrong line by its number, never its content
   */
  static Map<String, byte[]> read(String file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(Path.of(file));
    } catch (IOException e) {
      throw Key.expected("a file that can be read");
    }
    Map<String, byte[]> users = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw Key.expected(
            "USER:HASH with 64 hexadecimal digits in each line, not so in line " + (i + 1));
      }
      if (users.put(matcher.group(1), HexFormat.of().parseHex(matcher.group(2))) != null) {
        throw Key.expected("each user once, not so in line " + (i + 1));
      }
    }
    if (users.isEmpty()) {
      throw Key.expected("at least one line USER:HASH");
    }
    return users;
  }
}
