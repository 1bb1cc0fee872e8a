package io.lastfix.jobs.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/reference/configuration.md} with the options in the code, of which {@link
 * ConfigurationDocument} writes {@code config/location.yaml}. With {@code
 * -Dlastfix.reference=write} it writes the page.
 */
class ConfigurationReferenceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "configuration.md");

  private static final Map<Class<?>, String> UNITS =
      Map.of(
          String.class, "text",
          Integer.class, "number",
          Boolean.class, "true or false",
          Duration.class, "duration",
          MemorySize.class, "size");

  @Test
  void thePageIsWhatTheCodeDocuments() throws Exception {
    String expected = render();
    if ("write".equals(System.getProperty("lastfix.reference"))) {
      Files.writeString(PAGE, expected);
    }

    assertThat(Files.readString(PAGE))
        .as("after a change of an option, write the page with -Dlastfix.reference=write")
        .isEqualTo(expected);
  }

  private static String render() throws ReflectiveOperationException {
    StringBuilder page =
        new StringBuilder(
            """
            # Configuration

            Every key of the location job. [config/location.yaml](../../config/location.yaml) has
            the same keys with their defaults; `--set key=value` overrides a key. A duration or size
            has its unit in the value: `100 ms`, `5 min`, `4 mb`. A dash means that there is no
            default.

            Two prefixes take keys of other programs. Lastfix passes `kafka.properties.` to every Kafka
            client, and `flink.` to Flink; these override its own settings. `${NAME}` stands for an environment
            variable, and `${file:/path}` for the content of a file.

            `ConfigurationReferenceTest` (module `jobs`) writes this page:

                mvn -pl jobs -am test -Dtest=ConfigurationReferenceTest \\
                    -Dsurefire.failIfNoSpecifiedTests=false -Dlastfix.reference=write
            """);
    String part = "";
    for (ConfigOption<?> option : LocationJobOptions.all()) {
      String itsPart = option.key().split("\\.", 2)[0];
      if (!itsPart.equals(part)) {
        part = itsPart;
        page.append("\n## ")
            .append(part)
            .append("\n\n| key | default | unit | meaning |\n|---|---|---|---|\n");
      }
      page.append(
          "| `%s` | %s | %s | %s |%n"
              .formatted(
                  option.key(),
                  option.hasDefaultValue()
                      ? "`" + ConfigurationDocument.defaultText(option) + "`"
                      : "–",
                  unit(option),
                  LocationJobOptions.description(option).replace("|", "\\|")));
    }
    return page.toString();
  }

  /** Flink's own documentation reads an option's class the same way: it is not public. */
  private static String unit(ConfigOption<?> option) throws ReflectiveOperationException {
    if (option.hasDefaultValue() && option.defaultValue() instanceof List) {
      return "list";
    }
    Method type = ConfigOption.class.getDeclaredMethod("getClazz");
    type.setAccessible(true);
    return UNITS.getOrDefault((Class<?>) type.invoke(option), "one of the values named");
  }
}
