package io.lastfix.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.console.api.Api;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Does what {@code docs/ADDING.md} says, and asks the route that comes of it. */
class RouteRecipeTest {
  private static final Path PAGE = Path.of("..", "docs", "ADDING.md");
  private static final Path LIST =
      Path.of("src", "main", "java", "io", "lastfix", "console", "api", "Api.java");
  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");
  private static final String TOKEN = "a token of 24 characters".replace(' ', '-');
  private static final String[] AUTHORIZED = {"Authorization", "Bearer " + TOKEN};

  @TempDir private static Path folder;
  private static URLClassLoader loader;
  private static Object console;

  @BeforeAll
  static void followThePage() throws Exception {
    String page = Files.readString(PAGE);
    String section = page.substring(page.indexOf("## A REST route"), page.indexOf("### Of the g"));
    List<String> blocks =
        BLOCK.matcher(section).results().map((MatchResult found) -> found.group(1)).toList();
    assertThat(blocks).hasSize(2);
    String list = Files.readString(LIST);
    assertThat(list).containsOnlyOnce("Stream.of(\n");
    Path sources = Files.createDirectories(folder.resolve("src"));
    compile(
        Files.writeString(sources.resolve("SilenceApi.java"), blocks.get(0)),
        Files.writeString(
            sources.resolve("Api.java"),
            list.replace("Stream.of(\n", "Stream.of(\n" + blocks.get(1))));
    loader = new WithTheRoute(folder.resolve("classes"));
    console = call("start", null, new Class<?>[] {String.class}, TOKEN);
  }

  private static void compile(Path... sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean isCompiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  List.of(
                      "-d",
                      Files.createDirectories(folder.resolve("classes")).toString(),
                      "-classpath",
                      System.getProperty("java.class.path"),
                      "-proc:none"),
                  null,
                  files.getJavaFileObjects(sources))
              .call();
      assertThat(isCompiled).as(messages.toString()).isTrue();
    }
  }

  /** The console's own classes anew, with those of the page in the place of its own. */
  private static final class WithTheRoute extends URLClassLoader {
    private WithTheRoute(Path compiled) throws IOException {
      super(
          new URL[] {compiled.toUri().toURL(), placeOf(Api.class), placeOf(RouteRecipeTest.class)},
          RouteRecipeTest.class.getClassLoader());
    }

    private static URL placeOf(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        return name.startsWith("io.lastfix.console.")
            ? findClass(name)
            : super.loadClass(name, resolve);
      }
    }
  }

  @AfterAll
  static void stop() throws Exception {
    ((AutoCloseable) console).close();
    loader.close();
  }

  /** Calls a method of the other loader's {@link TestConsole}. */
  private static Object call(
      String name, @Nullable Object target, Class<?>[] types, Object... arguments)
      throws ReflectiveOperationException {
    Method method = loader.loadClass(TestConsole.class.getName()).getDeclaredMethod(name, types);
    method.setAccessible(true);
    return method.invoke(target, arguments);
  }

  @SuppressWarnings("unchecked")
  private static HttpResponse<String> get(String path, String... headers)
      throws ReflectiveOperationException {
    return (HttpResponse<String>)
        call("get", console, new Class<?>[] {String.class, String[].class}, path, headers);
  }

  @Test
  void itAnswers() throws Exception {
    HttpResponse<String> late = get("/v1/silence/" + FakeStore.USER, AUTHORIZED);

    assertThat(late.statusCode()).isEqualTo(200);
    assertThat(TestConsole.json(late).path("seconds").isIntegralNumber()).isTrue();
    assertThat(TestConsole.json(late).path("late").isBoolean()).isTrue();
    assertThat(get("/v1/silence/nobody", AUTHORIZED).statusCode()).isEqualTo(404);
    assertThat(get("/v1/where/" + FakeStore.USER, AUTHORIZED).statusCode()).isEqualTo(200);
  }

  @Test
  void itsParametersAreChecked() throws Exception {
    HttpResponse<String> unknown = get("/v1/silence/x?nothing=1", AUTHORIZED);
    HttpResponse<String> wrong = get("/v1/silence/" + FakeStore.USER + "?allowed=x", AUTHORIZED);

    assertThat(TestConsole.json(unknown).path("detail").asText())
        .isEqualTo("unknown parameter; expected allowed");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(TestConsole.json(wrong).path("detail").asText()).startsWith("allowed: expected");
  }

  @Test
  void whoMayUseItIsChecked() throws Exception {
    assertThat(get("/v1/silence/" + FakeStore.USER).statusCode()).isEqualTo(401);
  }

  @Test
  void itsAnswersAreCounted() throws Exception {
    HttpResponse<String> refused = get("/v1/silence/nobody", AUTHORIZED);

    assertThat(refused.statusCode()).isEqualTo(404);
    // The clock of an answer stops after its client has it.
    await()
        .untilAsserted(
            () ->
                assertThat(get("/metrics").body())
                    .contains(
                        "lastfix_console_request_seconds_count{class=\"api\",status=\"404\"}"));
  }

  @Test
  void theDocumentHasIt() throws Exception {
    JsonNode route =
        TestConsole.json(get("/v1/openapi.json", AUTHORIZED))
            .path("paths")
            .path("/v1/silence/{user}")
            .path("get");

    assertThat(route.path("summary").asText()).isEqualTo("For how long a device has been silent");
    assertThat(route.path("parameters").findValuesAsText("name"))
        .containsExactly("user", "allowed");
    assertThat(route.path("responses").fieldNames())
        .toIterable()
        .contains("200", "400", "401", "403", "404", "421", "503", "504");
    assertThat(route.path("responses").findPath("late").path("type").asText()).isEqualTo("boolean");
  }
}
