package io.lastfix.gateway.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code config/gateway.yaml} and {@code docs/reference/gateway.md}: every key with its
 * meaning, its unit and its default. A test compares both with this.
 */
public final class ConfigurationDocument {
  private static final int WIDTH = 100;

  private ConfigurationDocument() {}

  /** Writes the two files named by the arguments: the YAML and the page. */
  public static void main(String[] arguments) throws IOException {
    Files.writeString(Path.of(arguments[0]), yaml());
    Files.writeString(Path.of(arguments[1]), page());
  }

  static String yaml() {
    StringBuilder out =
        new StringBuilder(
            """
            # The gateway's configuration: every key with its default. Kafka's address is commented out,
            # so that a copy of this file uses the local stack until you set yours. All routes are
            # closed until you open them (access). This file is generated from GatewayKeys.java; a test
            # compares the two.
            #
            # "--set key=value" overrides it. ${NAME} stands for an environment variable and ${file:/path}
            # for the content of a file: keep secrets there. Nested maps work too.
            """);
    String part = "";
    for (Key<?> key : GatewayKeys.all()) {
      if (!partOf(key).equals(part)) {
        part = partOf(key);
        heading(out, part);
      }
      out.append('\n');
      comment(out, key.description());
      String value = key.defaultText();
      if (value == null) {
        out.append("# ").append(key.name()).append(":\n");
      } else {
        String shown = key.unit().equals("list") ? "[" + value + "]" : value;
        out.append(key == GatewayKeys.BOOTSTRAP_SERVERS ? "# " : "")
            .append(key.name())
            .append(": ")
            .append(shown)
            .append('\n');
      }
    }
    heading(out, "keys with names of your own");
    out.append('\n');
    comment(
        out,
        "After 'sdk.accept.' comes a client's name; the value is the range of versions that may"
            + " write, in npm's notation. Any other version of that client gets 426.");
    out.append("# sdk.accept.example-sdk: \">=1.2.0 <3.0.0\"\n\n");
    comment(
        out,
        "Each key after 'kafka.properties.' goes unchanged to every Kafka client, for example"
            + " security settings.");
    out.append("# kafka.properties.security.protocol: SASL_SSL\n");
    return out.toString();
  }

  static String page() {
    StringBuilder page =
        new StringBuilder(
            """
            # Gateway

            Every key of the gateway. [config/gateway.yaml](../../config/gateway.yaml) has the same keys
            with their defaults; `--set key=value` overrides a key. A duration or size has its unit in the
            value: `100 ms`, `5 min`, `4 mb`. A dash means that there is no default. `${NAME}` stands for an
            environment variable, and `${file:/path}` for the content of a file.

            `ConfigurationReferenceTest` (module `gateway`) writes this page and the file:

                mvn -pl gateway -am test -Dtest=ConfigurationReferenceTest \\
                    -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write
            """);
    String part = "";
    for (Key<?> key : GatewayKeys.all()) {
      if (!partOf(key).equals(part)) {
        part = partOf(key);
        page.append("\n## ").append(part).append("\n\n");
        page.append("| key | default | unit | meaning |\n|---|---|---|---|\n");
      }
      row(page, key.name(), key.defaultText(), key.unit(), key.description());
    }
    page.append(
        """

        ## Keys with names of your own

        | key | default | unit | meaning |
        |---|---|---|---|
        """);
    row(
        page,
        GatewayKeys.SDK_ACCEPT_PREFIX + "CLIENT",
        null,
        "range of versions",
        "Versions of a client that may write, in npm's notation: `>=1.2.0 <3.0.0`. Any other version"
            + " of that client gets 426.");
    row(
        page,
        GatewayKeys.PROPERTIES_PREFIX + "NAME",
        null,
        "text",
        "Goes unchanged to every Kafka client, for example security settings.");
    return page.toString();
  }

  private static void row(
      StringBuilder page, String name, @Nullable String value, String unit, String meaning) {
    page.append(
        "| `%s` | %s | %s | %s |%n"
            .formatted(
                name, value == null ? "–" : "`" + value + "`", unit, meaning.replace("|", "\\|")));
  }

  private static String partOf(Key<?> key) {
    return key.name().substring(0, key.name().indexOf('.'));
  }

  private static void heading(StringBuilder out, String text) {
    out.append("\n# ---- ")
        .append(text)
        .append(" ")
        .append("-".repeat(WIDTH - 9 - text.length()))
        .append('\n');
  }

  private static void comment(StringBuilder out, String text) {
    StringBuilder line = new StringBuilder("#");
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        out.append(line).append('\n');
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    out.append(line).append('\n');
  }
}
