package io.lastfix.deploy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.config.GatewayConfig;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaTopics;
import io.lastfix.model.ShippedProfiles;
import io.lastfix.parse.ProfilePage;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ships the example of docs/ADDING.md in a copy of config/profiles, by the page's own text: what the
 * page says, and nothing else, makes a record format.
 */
class AddedFormatTest {
  private static final Path ROOT = Manifests.DEPLOY.resolve("..").normalize();

  /** The files that list the profiles, and the test that writes each. No other file lists them. */
  private static final Map<String, String> GENERATED =
      Map.of(
          "config/location.yaml", "ConfigurationReferenceTest",
          "config/gateway.yaml", "ConfigurationReferenceTest",
          "docs/reference/configuration.md", "ConfigurationReferenceTest",
          "docs/reference/gateway.md", "ConfigurationReferenceTest",
          "deploy/helm/lastfix/" + Manifests.PROFILES, "ChartTest");

  @TempDir private static Path clone;

  private static String format;
  private static List<String> steps;
  private static Map<String, List<String>> built;

  /** What the code of a clone makes of its profiles, by the part that does. */
  public static final class Built implements Function<String, Map<String, List<String>>> {
    /** Takes the text of the clone's config/profiles/README.md. */
    @Override
    public Map<String, List<String>> apply(String page) {
      LocationJobConfig job = LocationJobConfig.load(null, List.of());
      return Map.of(
          "page", ProfilePage.of(page).profiles(),
          "job", job.profileNames(),
          "topics", List.copyOf(KafkaTopics.settings(job).keySet()),
          "gateway", GatewayConfig.load(null, List.of()).profiles(),
          "chart", List.of(Manifests.profiles(ShippedProfiles.names())),
          "says", ProfilePage.of(page).rows().stream().map(Built::says).toList(),
          "yields", ProfilePage.of(page).rows().stream().map(Built::yields).toList());
    }

    private static String says(ProfilePage.Row row) {
      return row.profile() + " " + row.message() + " " + row.yields();
    }

    private static String yields(ProfilePage.Row row) {
      return row.profile() + " " + row.message() + " " + row.yielded();
    }
  }

  @BeforeAll
  static void followThePage() throws Exception {
    String page = Manifests.text(ROOT.resolve("docs/ADDING.md"));
    String section = only("(?s)\n## A record format\n(.*?)\n## ", page);
    steps = all("(?sm)^\\d\\. (.*?)(?=^(?:\\d\\.|\\w))", section);
    copy(ROOT.resolve("config/profiles"), clone.resolve("config/profiles"));

    String profile = step("Write `config/profiles/");
    format = only("`config/profiles/(\\w+)\\.yaml`", profile);
    Files.writeString(
        clone.resolve("config/profiles/" + format + ".yaml"), block("yaml", profile).get(0));

    String description = step("Describe it in `config/profiles/README.md`");
    List<String> parts = block("markdown", description);
    assertThat(parts).as("a row and a table of messages").hasSize(2);
    Path readme = clone.resolve("config/profiles/README.md");
    String described =
        Files.readString(readme)
            .replaceFirst("(?m)^(\\| profile .*\n\\|.*\n)", "$1" + quoted(parts.get(0)))
            .replaceFirst(
                "(?m)^(## What real messages yield\n(?:.*\n)*?)(?=###)",
                "$1" + quoted(parts.get(1)) + "\n");
    Files.writeString(readme, described);

    built = build(described);
  }

  /** Loads the classes again, before them on the class path what the build makes of the folder. */
  @SuppressWarnings("unchecked")
  private static Map<String, List<String>> build(String page) throws Exception {
    List<URL> classPath = new ArrayList<>(List.of(clone.resolve("config").toUri().toURL()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classPath.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = loader.loadClass(Built.class.getName());
      return ((Function<String, Map<String, List<String>>>)
              type.getDeclaredConstructor().newInstance())
          .apply(page);
    }
  }

  @Test
  void theFormatIsNew() {
    assertThat(ShippedProfiles.names()).doesNotContain(format);
  }

  @Test
  void thePageOfTheProfilesListsIt() {
    assertThat(built.get("page"))
        .containsExactlyInAnyOrderElementsOf(allWith(ShippedProfiles.names()));
  }

  @Test
  void theJobAndTheGatewayReadItByDefault() {
    assertThat(built.get("job"))
        .containsExactlyInAnyOrderElementsOf(allWith(ShippedProfiles.names()));
    assertThat(built.get("gateway")).isEqualTo(built.get("job"));
    assertThat(built.get("topics")).contains("lastfix.location." + format);
  }

  @Test
  void itsMessagesYieldWhatThePageSays() {
    assertThat(built.get("says")).anyMatch(it -> it.startsWith(format + " "));
    assertThat(built.get("yields")).isEqualTo(built.get("says"));
  }

  @Test
  @EnabledIf(
      value = "io.lastfix.deploy.Helm#isInstalled",
      disabledReason = "helm is not on the PATH")
  void theChartMakesItsTopic() throws IOException {
    Path chart = clone.resolve("chart");
    copy(Manifests.CHART, chart);
    Files.writeString(chart.resolve(Manifests.PROFILES), built.get("chart").get(0));

    Helm.Result result = Helm.templateOf(chart);

    assertThat(result.code()).as(result.text()).isZero();
    assertThat(new Manifests("added", Manifests.parse(result.text())).of(KafkaTopic.class))
        .extracting(it -> it.getMetadata().getName())
        .contains("lastfix.location." + format);
  }

  @Test
  void theCommandWritesEachFileThatListsTheProfiles() throws IOException {
    List<String> listing = new ArrayList<>();
    for (Path folder : folders()) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .filter(Files::isRegularFile)
            .filter(AddedFormatTest::listsTheProfiles)
            .forEach(it -> listing.add(ROOT.relativize(it).toString()));
      }
    }
    assertThat(listing).containsExactlyInAnyOrderElementsOf(GENERATED.keySet());
    assertThat(step("Write the generated files"))
        .contains("mvn -pl deploy -am test", "-Dlastfix.reference=write")
        .contains(GENERATED.values());
  }

  private static List<Path> folders() throws IOException {
    List<Path> folders =
        new ArrayList<>(
            Stream.of("config", "docs", "docker", "deploy/helm").map(ROOT::resolve).toList());
    try (Stream<Path> modules = Files.list(ROOT)) {
      modules.map(it -> it.resolve("src")).filter(Files::isDirectory).forEach(folders::add);
    }
    return folders;
  }

  private static boolean listsTheProfiles(Path file) {
    try {
      return Files.readString(file, ISO_8859_1)
          .lines()
          .anyMatch(line -> ShippedProfiles.names().stream().allMatch(line::contains));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> allWith(List<String> names) {
    return Stream.concat(names.stream(), Stream.of(format)).toList();
  }

  private static String step(String start) {
    return steps.stream()
        .filter(it -> it.startsWith(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no step '" + start + "' in docs/ADDING.md"));
  }

  /** The fenced blocks of a step, without its indentation. */
  private static List<String> block(String language, String step) {
    List<String> blocks = all("(?s)\n   ```" + language + "\n(.*?)   ```\n", step);
    assertThat(blocks).as("blocks of %s in the step '%s'", language, step).isNotEmpty();
    return blocks.stream().map(it -> it.replaceAll("(?m)^ {3}", "")).toList();
  }

  private static String only(String pattern, String text) {
    List<String> found = all(pattern, text);
    assertThat(found).as("%s in docs/ADDING.md", pattern).isNotEmpty();
    return found.get(0);
  }

  private static List<String> all(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  private static String quoted(String replacement) {
    return Matcher.quoteReplacement(replacement);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }
}
