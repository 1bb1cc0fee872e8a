package io.lastfix.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.junit.jupiter.api.Test;

/**
 * The sentences of all pages, and so of the keys' descriptions, from which pages are generated, and
 * of the texts in the programs: help texts, which the pages have as code, and messages.
 */
class SentencesTest {
  private static final Path ROOT = Manifests.DEPLOY.resolve("..").normalize();
  private static final int MOST_WORDS = 25;

  /** Built, fetched, or of others. */
  private static final Set<String> NOT_OURS =
      Set.of("target", "node_modules", ".git", ".ci", "bench-results", "licences");

  private static final Pattern END_OF_SENTENCE = Pattern.compile("(?<=[.!?:])[)\"”*_]*\\s+");
  private static final Pattern WORD = Pattern.compile("\\w");

  /** In source a line's end is written as a sign, and a block may hold paragraphs. */
  private static final Pattern END_OF_SENTENCE_IN_SOURCE =
      Pattern.compile(END_OF_SENTENCE.pattern() + "|\\\\n|%n|\\n\\s*\\n");

  /** SQL and a shell's arguments, which have no sentences. */
  private static final Pattern NO_PROSE =
      Pattern.compile("\\b(SELECT|CREATE|INSERT|STRING)\\b|\\$\\{@");

  private static final Map<String, Pattern> BANNED =
      Map.of(
          "a person who is none",
          Pattern.compile("(?i)\\b(nobody|somebody|anybody|whoever)\\b"),
          "a program that acts as a person",
          Pattern.compile(
              // A page's code is the word "code" here.
              "(?i)\\b(job|jobs|gateway|console|program|server|command|page|operator|broker|brokers"
                  + "|driver|Flink|Kafka|MongoDB|mongod|it|Lastfix|test|profile|script|sink|source"
                  + "|client|process|log|audit|ledger|late|lost|stale|commands|class|they"
                  + "|code|alert|shard|line|variables|README)"
                  + "(?: (?:do|does|did) not)?"
                  + " (says|say|knows|know|asks|ask|is told|are told|goes on)\\b"),
          "'of its own' for anything but ownership",
          Pattern.compile("(?i)(?<!positions? )\\bof (its|their|one's|his) own\\b"));

  /** Seven to 40 hexadecimal digits, among them a letter, that are no part of a longer token. */
  private static final Pattern COMMIT =
      Pattern.compile("(?<![\\w.-])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}(?![\\w.…-])");

  private static final Pattern COMMENT = Pattern.compile("\\s*(//|/?\\*)");

  /** A text in Java source, with those that are added to it. */
  private static final Pattern LITERAL =
      Pattern.compile(
          // A character, so that its quote begins no text.
          "'(?:[^'\\\\]|\\\\.)'|\"\"\"(?<block>(?s:.*?))\"\"\""
              + "|\"(?<line>(?:[^\"\\\\\\n]|\\\\.)*)\"(?<more>\\s*\\+\\s*(?=\"))?");

  @Test
  void noSentenceOfAPageIsLongerThan25Words() throws IOException {
    List<String> found = new ArrayList<>();
    for (Block block : blocks()) {
      addLong(block.place(), END_OF_SENTENCE, block.prose(), found);
    }
    assertThat(found).as("sentences of more than %d words", MOST_WORDS).isEmpty();
  }

  /** A page is read in five minutes; in the reference one looks up, and pictures take words. */
  @Test
  void noPageIsLongerThan1200Words() throws IOException {
    List<Path> pages =
        pagesIn("docs").stream()
            .filter(page -> !page.startsWith(ROOT.resolve("docs/reference")))
            .filter(page -> !page.equals(ROOT.resolve("docs/ARCHITECTURE.md")))
            .toList();

    assertThat(pages).hasSizeGreaterThan(50);
    for (Path page : pages) {
      assertThat(words(page)).as(page.toString()).isLessThan(1_200);
    }
  }

  @Test
  void allPagesButTheReferenceHave60000WordsAtMost() throws IOException {
    long all = 0;
    for (Path page : files(".md")) {
      all += page.startsWith(ROOT.resolve("docs/reference")) ? 0 : words(page);
    }
    assertThat(all).isBetween(10_000L, 60_000L);
  }

  @Test
  void resultsAndDecisionsAreShort() throws IOException {
    assertThat(words(ROOT.resolve("PERFORMANCE.md"))).isLessThanOrEqualTo(1_000);
    assertThat(words(ROOT.resolve("RELIABILITY.md"))).isLessThanOrEqualTo(1_500);
    long decisions = 0;
    for (Path page : pagesIn("docs/decisions")) {
      decisions += words(page);
    }
    assertThat(decisions).isBetween(1_000L, 9_000L);
  }

  private static List<Path> pagesIn(String folder) throws IOException {
    return files(".md").stream().filter(page -> page.startsWith(ROOT.resolve(folder))).toList();
  }

  private static long words(Path page) throws IOException {
    return Pattern.compile("\\s+")
        .splitAsStream(Files.readString(page).strip())
        .filter(word -> !word.isEmpty())
        .count();
  }

  @Test
  void noPageUsesAWordThatTheGlossaryReplaces() throws IOException {
    List<String> found = new ArrayList<>();
    for (Block block : blocks()) {
      addBanned(block.place(), block.prose(), found);
    }
    assertThat(found).isEmpty();
  }

  @Test
  void noPageNamesACommit() throws IOException {
    List<String> found = new ArrayList<>();
    for (Block block : blocks()) {
      if (block.place().startsWith("config/sample/")) {
        // Where the data comes from: commits of other repositories.
        continue;
      }
      Matcher commit = COMMIT.matcher(block.withCode());
      while (commit.find()) {
        found.add(block.place() + ": " + commit.group());
      }
    }
    assertThat(found).as("hashes of commits belong in the results' JSON files").isEmpty();
  }

  @Test
  void noSentenceOfAProgramIsLongerThan25Words() throws IOException {
    List<String> found = new ArrayList<>();
    for (ProgramText each : programTexts()) {
      if (!NO_PROSE.matcher(each.text()).find()) {
        addLong(each.place(), END_OF_SENTENCE_IN_SOURCE, each.text(), found);
      }
    }
    assertThat(found).as("sentences of more than %d words", MOST_WORDS).isEmpty();
  }

  @Test
  void noTextOfAProgramUsesAWordThatTheGlossaryReplaces() throws IOException {
    List<String> found = new ArrayList<>();
    for (ProgramText each : programTexts()) {
      addBanned(each.place(), each.text(), found);
    }
    assertThat(found).isEmpty();
  }

  @Test
  void noTextOfTheConsolesPageUsesAWordThatTheGlossaryReplaces() throws IOException {
    List<String> found = new ArrayList<>();
    int files = 0;
    for (Path file : files(".ts")) {
      if (!file.toString().contains("/web/src/")) {
        continue;
      }
      files++;
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (!COMMENT.matcher(lines.get(i)).lookingAt()) {
          addBanned(ROOT.relativize(file) + ":" + (i + 1), lines.get(i), found);
        }
      }
    }
    assertThat(files).as("files of the console's page").isGreaterThan(10);
    assertThat(found).isEmpty();
  }

  private static void addLong(String place, Pattern end, String text, List<String> found) {
    for (String sentence : end.split(text, -1)) {
      long words =
          Pattern.compile("\\s+")
              .splitAsStream(sentence)
              .filter(word -> WORD.matcher(word).find())
              .count();
      if (words > MOST_WORDS) {
        found.add("%s: %d words: %s".formatted(place, words, sentence));
      }
    }
  }

  /**
   * A text in Java source.
   *
   * @param place file and line
   * @param text as the source has it, with those that are added to it
   */
  private record ProgramText(String place, String text) {}

  private static List<ProgramText> programTexts() throws IOException {
    List<ProgramText> texts = new ArrayList<>();
    for (Path file : files(".java")) {
      if (!file.toString().contains("/src/main/")) {
        continue;
      }
      String source = Files.readString(file);
      StringBuilder text = new StringBuilder();
      Matcher literal = LITERAL.matcher(source);
      while (literal.find()) {
        String block = literal.group("block");
        if (block == null && literal.group("line") == null) {
          continue;
        }
        text.append(block == null ? literal.group("line") : block);
        if (literal.group("more") != null) {
          continue;
        }
        int line = (int) source.substring(0, literal.start()).lines().count();
        texts.add(new ProgramText(ROOT.relativize(file) + ":" + line, text.toString()));
        text.setLength(0);
      }
    }
    assertThat(texts).as("texts in the programs").hasSizeGreaterThan(1_000);
    return texts;
  }

  private static void addBanned(String place, String text, List<String> found) {
    BANNED.forEach(
        (why, words) -> {
          Matcher word = words.matcher(text);
          while (word.find()) {
            found.add("%s: '%s': %s".formatted(place, word.group(), why));
          }
        });
  }

  /**
   * A heading, a paragraph or a cell of a table.
   *
   * @param place file and line
   * @param prose its text, with a word in place of each piece of code
   * @param withCode its text as it stands
   */
  private record Block(String place, String prose, String withCode) {}

  private static List<Block> blocks() throws IOException {
    Parser parser =
        Parser.builder()
            .extensions(List.of(TablesExtension.create()))
            .includeSourceSpans(IncludeSourceSpans.BLOCKS)
            .build();
    List<Block> blocks = new ArrayList<>();
    for (Path page : files(".md")) {
      parser
          .parse(Files.readString(page))
          .accept(
              new AbstractVisitor() {
                @Override
                public void visit(Heading heading) {
                  add(heading);
                }

                @Override
                public void visit(Paragraph paragraph) {
                  add(paragraph);
                }

                @Override
                public void visit(CustomNode node) {
                  if (node instanceof TableCell) {
                    add(node);
                  } else {
                    visitChildren(node);
                  }
                }

                private void add(Node node) {
                  blocks.add(
                      new Block(
                          ROOT.relativize(page) + ":" + line(node),
                          text(node, false),
                          text(node, true)));
                }
              });
    }
    assertThat(blocks).as("headings, paragraphs and cells of all pages").hasSizeGreaterThan(1_000);
    return blocks;
  }

  private static int line(Node node) {
    Node at = node;
    while (at.getSourceSpans().isEmpty()) {
      at = at.getParent();
    }
    return at.getSourceSpans().get(0).getLineIndex() + 1;
  }

  private static String text(Node block, boolean withCode) {
    StringBuilder text = new StringBuilder();
    block.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text node) {
            text.append(node.getLiteral());
          }

          @Override
          public void visit(Code node) {
            text.append(withCode ? node.getLiteral() : "code");
          }

          @Override
          public void visit(SoftLineBreak node) {
            text.append(' ');
          }

          @Override
          public void visit(HardLineBreak node) {
            text.append(' ');
          }
        });
    return text.toString();
  }

  private static List<Path> files(String suffix) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return NOT_OURS.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(suffix)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
