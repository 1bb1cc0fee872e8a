package io.lastfix.parse.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of shapes in docs/reference/profiles.md. */
class ShapesPageTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "profiles.md");
  private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| (`[^|]+) \\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @Test
  void theTableHasEachShapeThatIsRead() throws IOException {
    String page = Files.readString(PAGE);
    String table =
        page.substring(
            page.indexOf("### Shapes of MLP"), page.indexOf("## What real messages yield"));

    List<String> listed =
        FIRST_CELL
            .matcher(table)
            .results()
            .flatMap(cell -> NAME.matcher(cell.group(1)).results())
            .map(name -> name.group(1))
            .toList();

    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.range(ShapeTag.POINT, ShapeTag.MULTI_POLYGON).stream()
                .map(ShapeTag::toString)
                .toList());
  }
}
