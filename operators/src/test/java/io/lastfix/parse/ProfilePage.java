package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the pages say of the profiles that ship.
 *
 * @param profiles those that config/profiles/README.md lists
 * @param rows of the tables of messages in docs/reference/profiles.md
 */
record ProfilePage(List<String> profiles, List<Row> rows) {
  private static final Path LIST = Path.of("..", "config", "profiles", "README.md");
  private static final Path TABLES = Path.of("..", "docs", "reference", "profiles.md");
  private static final String FIRST_TABLE = "## What real messages yield";
  private static final Pattern PROFILE =
      Pattern.compile("(?m)^\\| \\[(.+)]\\(\\1\\.yaml\\) \\| .+ \\|$");
  private static final Pattern HEADING = Pattern.compile("### ([\\w.-]+)");
  private static final Pattern ROW = Pattern.compile("\\| `(.+?)` \\| (.+) \\|");

  /** A message of a profile, and in words what it yields. */
  record Row(String profile, String message, String yields) {
    /** Returns in the page's words what the shipped profile makes of the message. */
    String yielded() {
      // The page shows only the shape of a position.
      String sent = profile.equals("mlp") ? Messages.mlp(Messages.mlpShape(message)) : message;
      return described(Decoded.of(Decoded.decoder(profile), sent), yields);
    }
  }

  /** Reads the pages of the clone. */
  static ProfilePage read() {
    String list;
    String tables;
    try {
      list = Files.readString(LIST);
      tables = Files.readString(TABLES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Row> rows = new ArrayList<>();
    String profile = "";
    for (String line : tables.substring(tables.indexOf(FIRST_TABLE)).lines().toList()) {
      if (line.startsWith("## What is rejected")) {
        break;
      }
      Matcher heading = HEADING.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        profile = heading.group(1);
      } else if (row.matches()) {
        rows.add(new Row(profile, row.group(1), row.group(2)));
      } else if (line.startsWith("|")) {
        assertThat(line).as("a row that is none").isIn("| message | yields |", "|---|---|");
      }
    }
    return new ProfilePage(
        PROFILE.matcher(list).results().map(match -> match.group(1)).toList(), List.copyOf(rows));
  }

  /** Returns the messages of a profile that yield one record and no rejection. */
  List<byte[]> good(String profile) {
    List<byte[]> good =
        rows.stream()
            .filter(row -> row.profile().equals(profile))
            .map(row -> Messages.utf8(row.message()))
            .filter(
                message -> {
                  Decoded decoded = Decoded.of(Decoded.decoder(profile), message);
                  return decoded.records.size() == 1 && decoded.rejections.isEmpty();
                })
            .toList();
    assertThat(good).as("messages of %s that yield a record", profile).isNotEmpty();
    return good;
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
