package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages in config/profiles/README.md yield what the tables there say. */
class ProfileTablesTest {
  private static final Path PAGE = Path.of("..", "config", "profiles", "README.md");
  private static final Pattern HEADING = Pattern.compile("### (\\w+)");
  private static final Pattern ROW = Pattern.compile("\\| `(.+?)` \\| (.+) \\|");

  static List<Arguments> rows() throws IOException {
    List<Arguments> rows = new ArrayList<>();
    String page = Files.readString(PAGE);
    String profile = "";
    for (String line :
        page.substring(page.indexOf("## What real messages yield")).lines().toList()) {
      if (line.startsWith("## What is rejected")) {
        break;
      }
      Matcher heading = HEADING.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        profile = heading.group(1);
      } else if (row.matches()) {
        rows.add(arguments(profile, row.group(1), row.group(2)));
      } else if (line.startsWith("|")) {
        assertThat(line).as("a row that is none").isIn("| message | yields |", "|---|---|");
      }
    }
    return rows;
  }

  @Test
  void eachProfileWithPositionsHasATable() throws IOException {
    assertThat(rows().stream().map(row -> row.get()[0]).distinct())
        .containsExactly("json", "osmand", "owntracks", "openschema", "geojson", "mlp");
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("rows")
  void aMessageYieldsWhatTheTableSays(String profile, String message, String yields) {
    String sent = profile.equals("mlp") ? Messages.mlp(Messages.mlpShape(message)) : message;
    assertThat(described(Decoded.of(Decoded.decoder(profile), sent), yields)).isEqualTo(yields);
  }

  private static String described(Decoded decoded, String expected) {
    assertThat(decoded.records.size() + decoded.rejections.size() + decoded.notRecords)
        .isEqualTo(1);
    if (decoded.notRecords > 0) {
      return "no record";
    }
    if (decoded.rejections.isEmpty()) {
      return text(decoded.records.get(0))
          + (decoded.positionsIgnored > 0 ? ", position ignored" : "")
          + (decoded.cellsIgnored > 0 ? ", cell ignored" : "");
    }
    Rejection rejection = decoded.rejections.get(0);
    String detail = rejection.detail().replaceFirst("^record 1: ", ": ");
    return rejection.reason().code() + (expected.contains(":") ? detail : "");
  }

  private static String text(LocationRecord record) {
    StringBuilder text = new StringBuilder(record.user()).append(" at ");
    text.append(Instant.ofEpochMilli(record.timestampMillis())).append(": ");
    Fix fix = record.fix();
    if (fix != null) {
      text.append(fix.position().lon()).append(", ").append(fix.position().lat());
      text.append(" (").append(fix.source().text());
      text.append(fix.accuracyMeters() == null ? "" : ", " + fix.accuracyMeters() + " m");
      text.append(fix.altitudeMeters() == null ? "" : ", altitude " + fix.altitudeMeters() + " m");
      text.append(')');
    }
    CellId cell = record.cell();
    if (cell != null) {
      text.append(fix == null ? "" : " and ").append("cell ").append(cell);
    }
    return text.toString();
  }
}
