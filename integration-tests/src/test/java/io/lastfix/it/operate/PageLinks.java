package io.lastfix.it.operate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The relative links of Markdown pages, and the anchors that a page has for its headings. */
final class PageLinks {
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern ABSOLUTE = Pattern.compile("[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern NAMED = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

  private PageLinks() {}

  /** Names each link, of all pages below a folder, to a file or heading that is not there. */
  static List<String> dead(Path root) throws IOException {
    List<Path> pages;
    try (Stream<Path> files = Files.walk(root)) {
      pages = files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
    List<String> dead = new ArrayList<>();
    Map<Path, Set<String>> anchors = new HashMap<>();
    for (Path page : pages) {
      for (String link : links(page)) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(target)) {
          dead.add(root.relativize(page) + ": " + link);
        } else if (parts.length == 2 && target.toString().endsWith(".md")) {
          if (!anchors.containsKey(target)) {
            anchors.put(target, anchors(target));
          }
          if (!anchors.get(target).contains(parts[1])) {
            dead.add(root.relativize(page) + ": no such heading: " + link);
          }
        }
      }
    }
    return dead;
  }

  private static List<String> links(Path page) throws IOException {
    return LINK.matcher(text(page))
        .results()
        .map(found -> found.group(1))
        .filter(link -> !ABSOLUTE.matcher(link).matches())
        .toList();
  }

  /** As GitHub makes them of headings: a repeated heading gets a number. */
  private static Set<String> anchors(Path page) throws IOException {
    String text = text(page);
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> repeated = new HashMap<>();
    for (MatchResult heading : HEADING.matcher(text).results().toList()) {
      String anchor =
          heading
              .group(1)
              .strip()
              .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
              .replace(' ', '-');
      int before = repeated.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(before == 0 ? anchor : anchor + "-" + before);
    }
    Matcher named = NAMED.matcher(text);
    named.results().forEach(found -> anchors.add(found.group(1)));
    return anchors;
  }

  private static String text(Path page) throws IOException {
    return FENCED.matcher(Files.readString(page)).replaceAll("");
  }
}
