package io.lastfix.recipe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An example of the {@code lastfix} command in a page.
 *
 * @param page its file, from the repository's root
 * @param line without {@code ./}, the comment, and the parenthesis that an earlier line has opened;
 *     a text in quotes may continue in the next line, a command not
 */
public record PageCommand(String page, String line) {
  private static final Path ROOT = Path.of("..");

  /**
   * In an indented block, or after a prompt. With a colon after the command's name, it is a message
   * of that command.
   */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?m)^(?: {4,}|\\$ )(?:\\./)?"
              + "(lastfix [a-z][a-z-]*(?= |$)(?:\"[^\"]*\"|'[^']*'|[^\"'\\n#]++|(?<=\\S)#)*)"
              + "(?:#.*)?$");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

  /** A file that the shell writes. */
  private static final Pattern OUTPUT = Pattern.compile(" > \\S+$");

  /**
   * Returns the examples of pages, in their order.
   *
   * @param names of pages, and of folders of pages
   */
  public static List<PageCommand> in(String... names) throws IOException {
    List<PageCommand> commands = new ArrayList<>();
    for (String name : names) {
      for (Path page : pages(ROOT.resolve(name))) {
        Matcher command = COMMAND.matcher(Files.readString(page));
        while (command.find()) {
          commands.add(
              new PageCommand(
                  ROOT.relativize(page).toString(), withinParenthesis(command.group(1)).strip()));
        }
      }
    }
    return commands;
  }

  private static String withinParenthesis(String line) {
    int open = 0;
    for (int i = 0; i < line.length(); i++) {
      open += line.charAt(i) == '(' ? 1 : line.charAt(i) == ')' ? -1 : 0;
      if (open < 0) {
        return line.substring(0, i);
      }
    }
    return line;
  }

  private static List<Path> pages(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  /** Returns the words, without the quotes around them; it reads nothing else of a shell. */
  public List<String> arguments() {
    return arguments(OUTPUT.matcher(line).replaceAll(""));
  }

  /** Returns the arguments of a line that begins with {@code lastfix}. */
  public static List<String> arguments(String line) {
    return WORD.matcher(line)
        .results()
        .flatMap(word -> Stream.of(1, 2, 3).map(word::group).filter(Objects::nonNull))
        .skip(1)
        .toList();
  }
}
