package io.lastfix.kit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {
  private static final Key<Integer> PORT =
      Key.number("http.port", 8480, 0, 65_535, "Port.").where(port -> port != 1, "another port");
  private static final Key<Duration> WAIT = Key.positiveDuration("wait", "5 s", "How long.");
  private static final Key<String> PASSWORD = Key.text("user.secret", null, "A secret.").secret();
  private static final Key<List<String>> NAMES = Key.list("names", "a, b", "Names.");

  @TempDir private Path directory;

  private static SettingsReader reader(Settings settings) {
    return new SettingsReader(
        settings, Key.declaredIn(SettingsReaderTest.class), List.of("client."));
  }

  private static SettingsReader reader(String... overrides) {
    return reader(Settings.load(null, List.of(overrides), Map.of("HOME", "/h@me")::get));
  }

  private static List<String> problems(SettingsReader reader) {
    return catchThrowableOfType(ConfigurationException.class, () -> reader.finish("It")).problems();
  }

  @Test
  void keysAreFoundInTheOrderOfTheSource() {
    assertThat(Key.declaredIn(SettingsReaderTest.class))
        .extracting(Key::name)
        .containsExactly("http.port", "wait", "user.secret", "names");
  }

  @Test
  void oneMessageNamesEveryProblemWithItsPlace() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("it.yaml"),
            """
            http: {port: 70000, prot: 1}
            wait: long
            user.secret: ""
            client.x: 1
            """);
    SettingsReader reader = reader(Settings.load(file, List.of("http.port=1"), name -> null));
    reader.get(PORT);
    reader.get(WAIT);
    reader.getIfGiven(PASSWORD);
    reader.require(false, NAMES, "other names");

    assertThatThrownBy(() -> reader.finish("The configuration"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            """
            The configuration has 5 problems:
              it.yaml:1: http.prot: unknown key
              --set: http.port: expected another port, found '1'
              it.yaml:2: wait: expected a duration such as 200 ms, 5 s or 1 min, found 'long'
              it.yaml:3: user.secret: expected a text
              names: expected other names"""
                .replace("\n", System.lineSeparator()));
  }

  @Test
  void aProblemIsNamedOnceAlsoIfItsKeyIsReadAgain() {
    SettingsReader reader = reader("wait=0 s");

    assertThat(List.of(reader.get(WAIT), reader.get(WAIT))).containsOnly(Duration.ofSeconds(5));
    assertThat(problems(reader)).containsExactly("--set: wait: expected 1 ms or more, found '0 s'");
  }

  @Test
  void aReferenceIsResolvedAndNeverShownResolved() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), " s3cret\n");
    SettingsReader reader =
        reader(
            "user.secret=${file:" + secret + "}",
            "wait=${HOME}",
            "http.port=${NOWHERE}",
            "client.password=${HOME}");

    assertThat(reader.getIfGiven(PASSWORD)).isEqualTo("s3cret");
    assertThat(reader.withPrefix("client.", text -> text))
        .containsExactly(Map.entry("password", "/h@me"));
    reader.get(WAIT);
    reader.get(PORT);
    assertThat(problems(reader))
        .containsExactly(
            "--set: wait: expected a duration such as 200 ms, 5 s or 1 min, found '${HOME}'",
            "--set: http.port: environment variable NOWHERE is not set");
  }

  @Test
  void whatLooksLikeASecretIsNotShownAtAnyKey() {
    SettingsReader reader = reader("http.port=u:p@host", "wait=Password1");
    reader.get(PORT);
    reader.get(WAIT);

    assertThat(problems(reader)).noneMatch(problem -> problem.contains("found"));
    assertThat(
            Settings.load(null, List.of("http.port=7", "user.secret=x", "wait=a@b"), name -> null)
                .harmless(Key.declaredIn(SettingsReaderTest.class)))
        .containsExactly(Map.entry("http.port", "7"));
  }

  @Test
  void listsAreTextsWithCommasInAFileToo() throws IOException {
    Path file = Files.writeString(directory.resolve("it.yaml"), "names: [x, y]\n");

    assertThat(reader(Settings.load(file, List.of(), name -> null)).get(NAMES))
        .containsExactly("x", "y");
    assertThat(reader("names=x,, y").get(NAMES)).containsExactly("x", "y");
    assertThat(reader().get(NAMES)).containsExactly("a", "b");
  }

  @Test
  void aValueBelowItsBoundIsReplacedByIt() {
    SettingsReader reader = reader("http.port=5");

    assertThat(reader.getAtLeast(7, PORT, PORT)).isEqualTo(7);
    assertThat(problems(reader))
        .containsExactly("--set: http.port: expected at least http.port, found '5'");
  }

  @Test
  void aFilesContentIsCheckedWithoutBeingShown() throws IOException {
    Path file = Files.writeString(directory.resolve("pem"), "s3cret");
    SettingsReader reader = reader("user.secret=" + file);

    assertThat(
            reader.content(
                PASSWORD,
                content -> {
                  throw new IllegalArgumentException("expected PEM");
                }))
        .isNull();
    assertThat(problems(reader)).containsExactly("--set: user.secret: " + file + ": expected PEM");
  }
}
