package io.lastfix.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A page of {@code docs/extend}, followed to the letter in a folder of its own. A block of Java or
 * YAML begins with a comment that names the new file; a block of changes begins with {@code ---}
 * and the file's name, and has hunks with {@code @@} between them.
 */
public final class Recipe implements AutoCloseable {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile("(?ms)^```(?:java|yaml|diff)\\n(//|#|---) (\\S+)\\n(.*?)^```$");

  /** What the build puts on the class path. */
  private static final Pattern PROFILE = Pattern.compile("config/profiles/([^/]+\\.yaml)");

  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Path folder;
  private final Path classes;
  private boolean isCompiled;
  private final URLClassLoader loader;

  /**
   * Writes and changes what the page says.
   *
   * @param title of the page
   * @param folder an empty one
   */
  public Recipe(String title, Path folder) throws IOException {
    Matcher block = BLOCK.matcher(page(title));
    while (block.find()) {
      String file = block.group(2);
      if (!block.group(1).equals("---")) {
        assertThat(ROOT.resolve(file)).as("a new file").doesNotExist();
        texts.put(file, block.group(3));
      } else {
        String before =
            texts.containsKey(file) ? texts.get(file) : Files.readString(ROOT.resolve(file));
        texts.put(file, changed(file, before, block.group(3)));
      }
    }
    this.folder = folder;
    classes = Files.createDirectory(folder.resolve("classes"));
    for (Map.Entry<String, String> text : texts.entrySet()) {
      write(folder.resolve(text.getKey()), text.getValue());
      Matcher profile = PROFILE.matcher(text.getKey());
      if (profile.matches()) {
        write(classes.resolve("io/lastfix/profiles").resolve(profile.group(1)), text.getValue());
      }
    }
    loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
  }

  private static String page(String title) throws IOException {
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs/extend"))) {
      for (Path page : pages.toList()) {
        String text = Files.readString(page);
        if (text.startsWith("# " + title + "\n")) {
          return text;
        }
      }
    }
    throw new AssertionError("no page of docs/extend has the title " + title);
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String changed(String file, String text, String hunks) {
    String changed = text;
    for (String hunk : hunks.split("(?m)^@@.*\\n", -1)) {
      StringBuilder before = new StringBuilder("\n");
      StringBuilder after = new StringBuilder("\n");
      hunk.lines()
          .forEach(
              line -> {
                String rest = line.isEmpty() ? "" : line.substring(1);
                if (!line.startsWith("+")) {
                  before.append(rest).append('\n');
                }
                if (!line.startsWith("-")) {
                  after.append(rest).append('\n');
                }
              });
      int at = ("\n" + changed).indexOf(before.toString());
      assertThat(at).as("%s has the lines of%n%s", file, hunk).isNotNegative();
      assertThat(("\n" + changed).indexOf(before.toString(), at + 1))
          .as("%s has them once:%n%s", file, hunk)
          .isNegative();
      changed = ("\n" + changed).replace(before, after).substring(1);
    }
    return changed;
  }

  /** Compiles the Java of {@code src/main} or {@code src/test}; a warning is an error. */
  private void compile(String part) throws IOException {
    List<Path> sources =
        files().stream()
            .filter(file -> file.contains("/src/%s/java/".formatted(part)))
            .map(folder::resolve)
            .toList();
    if (sources.isEmpty()) {
      return;
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean isWell =
          compiler
              .getTask(
                  problems,
                  files,
                  null,
                  List.of(
                      "-proc:none",
                      "-parameters",
                      "-Xlint:all,-serial,-processing,-classfile",
                      "-Werror",
                      "-d",
                      classes.toString(),
                      "-classpath",
                      classes + File.pathSeparator + CLASS_PATH),
                  null,
                  files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(isWell).as("compiles: %s", problems).isTrue();
    }
  }

  private URL[] classPath() throws IOException {
    List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
    for (String entry : CLASS_PATH.split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** Returns the files to write or change by hand, in the order of the page. */
  public List<String> files() {
    return List.copyOf(texts.keySet());
  }

  /** Returns the text of such a file afterwards. */
  public String text(String file) {
    return Objects.requireNonNull(texts.get(file), file);
  }

  /** Returns a class as the changed clone has it; it shares only Java's own with this test. */
  private Class<?> type(String name) throws ReflectiveOperationException, IOException {
    compileMain();
    return loader.loadClass(name);
  }

  private void compileMain() throws IOException {
    if (!isCompiled) {
      compile("main");
      isCompiled = true;
    }
  }

  /** Calls a static method without arguments, of any visibility. */
  public Object call(String type, String method) throws ReflectiveOperationException, IOException {
    Method found = type(type).getDeclaredMethod(method);
    found.setAccessible(true);
    return found.invoke(null);
  }

  /** Returns the value of a static field, of any visibility. */
  public Object constant(String type, String name)
      throws ReflectiveOperationException, IOException {
    Field field = type(type).getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }

  /**
   * Runs the methods of a class of tests, or some of them, in a JVM of the changed clone: threads
   * of a MiniCluster load classes by the JVM's own loader. What the tests read of the clone are the
   * files that the page writes and changes.
   */
  public void runTests(String type, String... names) throws IOException, InterruptedException {
    compileMain();
    compile("test");
    List<String> command =
        new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString()));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-") || argument.startsWith("-XX:"))
        .forEach(command::add);
    command.addAll(List.of("-cp", classes + File.pathSeparator + CLASS_PATH));
    command.addAll(List.of(Recipe.class.getName(), type));
    command.addAll(List.of(names));
    Path output = classes.resolveSibling(type + ".out");
    int code =
        new ProcessBuilder(command)
            .directory(classes.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    assertThat(code).as("%s: %s", type, Files.readString(output)).isZero();
  }

  /** Runs the test methods of a class, or those that are named. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    List<String> chosen = List.of(arguments).subList(1, arguments.length);
    List<Method> tests =
        Arrays.stream(Class.forName(arguments[0]).getDeclaredMethods())
            .filter(Recipe::isTest)
            .filter(it -> chosen.isEmpty() || chosen.contains(it.getName()))
            .toList();
    assertThat(tests).isNotEmpty();
    for (Method test : tests) {
      Constructor<?> constructor = test.getDeclaringClass().getDeclaredConstructor();
      constructor.setAccessible(true);
      test.setAccessible(true);
      test.invoke(constructor.newInstance());
    }
    // Threads of a MiniCluster may be left.
    System.exit(0);
  }

  private static boolean isTest(Method method) {
    return Arrays.stream(method.getAnnotations())
        .anyMatch(it -> it.annotationType().getSimpleName().equals("Test"));
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
