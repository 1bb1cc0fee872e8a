package io.lastfix.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.Installation;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The jar that the build made, with one class of another source text. */
public final class PatchedJar {
  private static final String JOB = "jobs/src/main/java/io/lastfix/jobs/LocationJob.java";
  private static final String PARSE = "operators/src/main/java/io/lastfix/parse/ParseFunction.java";

  private PatchedJar() {}

  /** A build that does what the former one does. */
  public static Path good(Path directory) throws IOException {
    return make(directory, "good", JOB, "\"Stores every", "\"Still stores every");
  }

  /** A build whose {@code main} fails. */
  public static Path withoutStart(Path directory) throws IOException {
    return make(
        directory,
        "without-start",
        JOB,
        "environment.execute(",
        "if (config != null) throw new IllegalStateException(\"this build does not start\");"
            + " environment.execute(");
  }

  /** A build that starts, and fails at each message. */
  public static Path crashing(Path directory) throws IOException {
    return make(
        directory,
        "crashing",
        PARSE,
        "TopicDecoder decoder = decodersByTopic.get(message.topic());",
        "TopicDecoder decoder = null;"
            + " if (decoder == null) throw new IllegalStateException(\"this build crashes\");");
  }

  /** A build whose join does not find its state. */
  public static Path withoutState(Path directory) throws IOException {
    return make(directory, "without-state", JOB, ".uid(\"locate\")", ".uid(\"locate-2\")");
  }

  /** A build that loses the records of some users after it has counted them. */
  public static Path losing(Path directory) throws IOException {
    return make(
        directory,
        "losing",
        PARSE,
        "records.collect(pseudonyms",
        "if (record.user().endsWith(\"7\")) return; records.collect(pseudonyms");
  }

  private static Path make(Path directory, String name, String source, String text, String instead)
      throws IOException {
    Path file = Installation.root().resolve(source);
    String former = Files.readString(file);
    assertThat(former).as("source of %s", source).contains(text);
    Path classes = Files.createDirectories(directory.resolve(name));
    Path patched = classes.resolve(file.getFileName().toString());
    Files.writeString(patched, former.replace(text, instead));
    compile(patched, classes);
    Path jar = directory.resolve(name + ".jar");
    Files.copy(Installation.jobJar(), jar, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem zip = FileSystems.newFileSystem(jar);
        Stream<Path> files = Files.walk(classes)) {
      for (Path each : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        Files.copy(
            each,
            zip.getPath(classes.relativize(each).toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return jar;
  }

  private static void compile(Path source, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> flink = Files.list(Installation.serverLibraries("flink"))) {
      List<String> classPath =
          Stream.concat(Stream.of(Installation.jobJar()), flink).map(Path::toString).toList();
      boolean isCompiled =
          compiler
              .getTask(
                  messages,
                  files,
                  null,
                  List.of(
                      "-proc:none",
                      "-nowarn",
                      "-d",
                      classes.toString(),
                      "-cp",
                      String.join(System.getProperty("path.separator"), classPath)),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(isCompiled).as("%s", messages).isTrue();
    }
  }
}
