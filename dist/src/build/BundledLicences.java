import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Gathers the licences of the archive's jars: {@code BUNDLED.md}, a list of every jar with its
 * licence as the SBOM names it after its POM, and the texts that the jars hold ({@code LICENSE},
 * {@code NOTICE} and the like), each jar's in a folder of its name. The build runs this file
 * (dist/pom.xml) with Jackson on the class path; it fetches nothing.
 *
 * <pre>{@code BundledLicences.java OUTPUT (FOLDER-IN-ARCHIVE JARS SBOM)...}</pre>
 *
 * {@code JARS} is a folder of jars, or one jar that contains all components of its SBOM. The program
 * fails if a jar belongs to no component of its SBOM. If there is no SBOM, because the build was
 * offline, the list names the jars without their licences.
 */
final class BundledLicences {
  private static final Component UNKNOWN = new Component("", "", "", "unknown: built offline");

  private static final Pattern TEXT =
      Pattern.compile(
          "(META-INF/(.+/)?)?[^/]*(LICENSE|LICENCE|NOTICE|COPYING|AL2\\.0|LGPL2\\.1)[^/]*",
          Pattern.CASE_INSENSITIVE);

  /** By a jar's name: the licences of a library are the same in each folder that has it. */
  private final Map<String, Integer> texts = new TreeMap<>();

  private final Path output;
  private final List<String> list = new ArrayList<>();

  private BundledLicences(Path output) {
    this.output = output;
  }

  public static void main(String[] args) throws IOException {
    BundledLicences licences = new BundledLicences(Path.of(args[0]));
    for (int i = 1; i < args.length; i += 3) {
      licences.add(args[i], Path.of(args[i + 1]), components(Path.of(args[i + 2])));
    }
    licences.write();
  }

  /** A component of an SBOM. */
  private record Component(String group, String name, String version, String licence) {
    String row(String file, int texts) {
      String id = name.isEmpty() ? "" : group + ":" + name;
      return "| %s | %s | %s | %s | %d |".formatted(file, id, version, licence, texts);
    }

    /** A jar may have a classifier after its version. */
    boolean isIn(String jar) {
      String stem = jar.substring(0, jar.length() - ".jar".length());
      return stem.equals(name + "-" + version) || stem.startsWith(name + "-" + version + "-");
    }
  }

  /** Empty if there is no SBOM. */
  private static List<Component> components(Path sbom) throws IOException {
    List<Component> components = new ArrayList<>();
    if (!Files.exists(sbom)) {
      return components;
    }
    for (JsonNode component : new ObjectMapper().readTree(sbom.toFile()).path("components")) {
      TreeSet<String> licences = new TreeSet<>();
      for (JsonNode licence : component.path("licenses")) {
        Stream.of(licence.at("/license/id"), licence.at("/license/name"), licence.path("expression"))
            .map(JsonNode::asText)
            .filter(text -> !text.isBlank())
            .findFirst()
            .ifPresent(licences::add);
      }
      components.add(
          new Component(
              component.path("group").asText(),
              component.path("name").asText(),
              component.path("version").asText(),
              licences.isEmpty() ? "not named by its POM" : String.join(" or ", licences)));
    }
    return components;
  }

  private void add(String folder, Path jars, List<Component> components) throws IOException {
    list.addAll(
        List.of(
            "",
            "## " + folder,
            "",
            "| file | component | version | licence | texts |",
            "|---|---|---|---|---|"));
    if (Files.isRegularFile(jars)) {
      // One jar with the classes of all components; shading keeps few of their texts.
      String name = jars.getFileName().toString();
      int count = extract(jars);
      if (components.isEmpty()) {
        list.add(UNKNOWN.row(name, count));
      }
      components.forEach(component -> list.add(component.row(name, count)));
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.list(jars)) {
      files = new ArrayList<>(all.filter(file -> file.toString().endsWith(".jar")).toList());
    }
    Collections.sort(files);
    for (Path file : files) {
      String name = file.getFileName().toString();
      Component component =
          components.isEmpty()
              ? UNKNOWN
              : components.stream()
                  .filter(it -> it.isIn(name))
                  .findFirst()
                  .orElseThrow(
                      () ->
                          new IOException(
                              file
                                  + " is in no component of its SBOM, which may be of an earlier"
                                  + " build: build online, or run mvn clean first"));
      list.add(component.row(name, extract(file)));
    }
  }

  /** Copies a jar's texts; returns their number. */
  private int extract(Path jar) throws IOException {
    String name = jar.getFileName().toString();
    Integer known = texts.get(name);
    if (known != null) {
      return known;
    }
    int count = 0;
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        String path = entry.getName();
        if (!entry.isDirectory() && !path.endsWith(".class") && TEXT.matcher(path).matches()) {
          Path target =
              output
                  .resolve(name.substring(0, name.length() - ".jar".length()))
                  .resolve(path.replace('/', '-'));
          Files.createDirectories(target.getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.write(target, in.readAllBytes());
          }
          count++;
        }
      }
    }
    texts.put(name, count);
    return count;
  }

  private void write() throws IOException {
    Files.createDirectories(output);
    List<String> lines =
        new ArrayList<>(
            List.of(
                "# Licences of the bundled libraries",
                "",
                "Made by the build. The licence is the one that the SBOM names after a library's POM; for",
                "names such as \"The BSD License\" that is a guess, so read the library's own text before",
                "you rely on it. The texts that a jar holds (licence, notice) are in the folder of the",
                "jar's name; 0: the jar holds none. A jar of several components has the texts that shading",
                "kept, not one for each of them.",
                "Lastfix's own licence is `LICENSE` in the archive's root, which is also the text of",
                "Apache-2.0."));
    lines.addAll(list);
    Files.write(output.resolve("BUNDLED.md"), lines, UTF_8);
  }
}
