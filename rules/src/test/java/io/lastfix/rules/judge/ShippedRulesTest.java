package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.expressions.Language;
import io.lastfix.rules.fence.FenceReader;
import io.lastfix.rules.rule.RuleReader;
import io.lastfix.rules.text.TextException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of {@code config/fences} and {@code config/rules}, for which the demo has data. */
class ShippedRulesTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final String FENCE = ".geojson";
  private static final String RULE = ".yaml";

  private static List<Path> files(String folder) throws IOException {
    try (Stream<Path> files = Files.list(CONFIG.resolve(folder))) {
      return files.sorted().toList();
    }
  }

  /** Returns a file's name without its ending, which must be that one. */
  private static String id(Path file, String ending) {
    String name = file.getFileName().toString();
    assertThat(name).endsWith(ending);
    return name.substring(0, name.length() - ending.length());
  }

  @Test
  void eachFileIsAValidFenceOrRuleOfItsName() throws IOException, TextException {
    List<String> fences = new ArrayList<>();
    for (Path file : files("fences")) {
      fences.add(FenceReader.read(id(file, FENCE), Files.readString(file), null).id());
    }
    List<String> rules = new ArrayList<>();
    for (Path file : files("rules")) {
      String yaml = Files.readString(file);
      String id = id(file, RULE);
      rules.add(id);

      assertThat(new RuleReader(new Language()).read(yaml, fences::contains).id()).isEqualTo(id);
      assertThat(yaml.lines().filter(line -> line.startsWith("#")))
          .as("a comment of one line in %s", file)
          .hasSize(1);
    }

    assertThat(fences).contains("sfo");
    assertThat(rules).contains("left-airport").hasSizeLessThanOrEqualTo(10);
  }
}
