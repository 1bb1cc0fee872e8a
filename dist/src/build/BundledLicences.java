import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
 * {@code NOTICE} and the like), each jar's in a folder of its name. A jar that holds none gets the
 * text of dist/src/licences. The build runs this file (dist/pom.xml) with Jackson on the class
 * path; it fetches nothing.
 *
 * <p>It also writes one SBOM of the whole archive, to lie beside it: the union of the parts' SBOMs.
 *
 * <pre>{@code BundledLicences.java OUTPUT OUR-TEXTS ARCHIVE-SBOM (FOLDER-IN-ARCHIVE JARS SBOM)...}</pre>
 *
 * {@code JARS} is a folder of jars, or one jar that contains all components of its SBOM. The
 * program skips what does not exist: what measures, if it is built without it. It fails if a jar
 * belongs to no component of its SBOM, or if a component that is not under Apache-2.0 has no text.
 * If there is no SBOM, because the build was offline, the list names the jars without their
 * licences.
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

  /** By artifact. */
  private final Map<String, List<OurText>> ourTexts;

  private final List<String> list = new ArrayList<>();

  private BundledLicences(Path output, Path ourTexts) throws IOException {
    this.output = output;
    this.ourTexts = ourTexts(ourTexts);
  }

  public static void main(String[] args) throws IOException {
    BundledLicences licences = new BundledLicences(Path.of(args[0]), Path.of(args[1]));
    List<Path> sboms = new ArrayList<>();
    for (int i = 3; i < args.length; i += 3) {
      sboms.add(Path.of(args[i + 2]));
      licences.add(args[i], Path.of(args[i + 1]), licences.components(Path.of(args[i + 2])));
    }
    licences.write();
    writeUnion(sboms, Path.of(args[2]));
  }

  /**
   * What the archive itself is comes from the first one; what the others are of is a part of it. The
   * serial number is only the first one's. An offline build has none.
   */
  private static void writeUnion(List<Path> sboms, Path output) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    Map<String, JsonNode> components = new TreeMap<>();
    Map<String, TreeSet<String>> dependencies = new TreeMap<>();
    TreeSet<String> refs = new TreeSet<>();
    ObjectNode union = null;
    for (Path sbom : sboms) {
      if (!Files.exists(sbom)) {
        Files.deleteIfExists(output);
        return;
      }
      ObjectNode part = (ObjectNode) mapper.readTree(sbom.toFile());
      JsonNode of = part.at("/metadata/component");
      if (union == null) {
        union = part;
        union.remove("serialNumber");
        refs.add(of.path("bom-ref").asText());
      } else {
        components.putIfAbsent(of.path("bom-ref").asText(), of);
      }
      part.path("components").forEach(it -> components.put(it.path("bom-ref").asText(), it));
      for (JsonNode dependency : part.path("dependencies")) {
        TreeSet<String> on =
            dependencies.computeIfAbsent(dependency.path("ref").asText(), ref -> new TreeSet<>());
        dependency.path("dependsOn").forEach(it -> on.add(it.asText()));
      }
    }
    refs.addAll(components.keySet());
    for (Map.Entry<String, TreeSet<String>> dependency : dependencies.entrySet()) {
      if (!refs.contains(dependency.getKey()) || !refs.containsAll(dependency.getValue())) {
        throw new IOException(
            "the dependencies of %s in the SBOMs name a component that none of them has: run mvn clean first"
                .formatted(dependency.getKey()));
      }
    }
    union.putArray("components").addAll(components.values());
    ArrayNode edges = union.putArray("dependencies");
    dependencies.forEach(
        (ref, on) -> on.forEach(edges.addObject().put("ref", ref).putArray("dependsOn")::add));
    mapper.writerWithDefaultPrettyPrinter().writeValue(output.toFile(), union);
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

    /** A POM that names several licences lets the user choose one. */
    boolean mayBeApache() {
      return List.of(licence.split("(?i) or ")).contains("Apache-2.0");
    }
  }

  /** A text of dist/src/licences, with its SPDX id. */
  private record OurText(Path file, String licence) {}

  /** The table of the folder's README.md: file, artifacts, SPDX id. */
  private static Map<String, List<OurText>> ourTexts(Path folder) throws IOException {
    Map<String, List<OurText>> texts = new TreeMap<>();
    for (String line : Files.readAllLines(folder.resolve("README.md"))) {
      String[] cells = line.split(" *\\| *");
      if (cells.length > 3 && cells[1].endsWith(".txt")) {
        OurText text = new OurText(folder.resolve(cells[1]), cells[3]);
        for (String artifact : cells[2].split(", ")) {
          texts.computeIfAbsent(artifact, key -> new ArrayList<>()).add(text);
        }
      }
    }
    return texts;
  }

  /** Empty if there is no SBOM. */
  private List<Component> components(Path sbom) throws IOException {
    List<Component> components = new ArrayList<>();
    if (!Files.exists(sbom)) {
      return components;
    }
    JsonNode bill = new ObjectMapper().readTree(sbom.toFile());
    List<JsonNode> listed = new ArrayList<>();
    // What the SBOM is of: a jar of ours may stand beside the jars it needs.
    listed.add(bill.at("/metadata/component"));
    bill.path("components").forEach(listed::add);
    for (JsonNode component : listed) {
      TreeSet<String> licences = new TreeSet<>();
      for (JsonNode licence : component.path("licenses")) {
        Stream.of(licence.at("/license/id"), licence.at("/license/name"), licence.path("expression"))
            .map(JsonNode::asText)
            .filter(text -> !text.isBlank())
            .findFirst()
            .ifPresent(licences::add);
      }
      String name = component.path("name").asText();
      String named = licences.isEmpty() ? "not named by its POM" : String.join(" or ", licences);
      components.add(
          new Component(
              component.path("group").asText(),
              name,
              component.path("version").asText(),
              ourTexts.getOrDefault(name, List.of()).stream()
                  .map(OurText::licence)
                  .distinct()
                  .reduce((one, other) -> one + " AND " + other)
                  .orElse(named)));
    }
    return components;
  }

  private void add(String folder, Path jars, List<Component> components) throws IOException {
    if (!Files.exists(jars)) {
      return;
    }
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
      for (Component component : components) {
        String unshaded = component.name() + "-" + component.version() + ".jar";
        int ours = copyOurs(component, name);
        mustHaveText(component, name, ours + texts.getOrDefault(unshaded, 0));
        count += ours;
      }
      for (Component component : components.isEmpty() ? List.of(UNKNOWN) : components) {
        list.add(component.row(name, count));
      }
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
      int count = extract(file);
      if (count == 0) {
        count = copyOurs(component, name);
      }
      mustHaveText(component, name, count);
      list.add(component.row(name, count));
    }
  }

  private static void mustHaveText(Component component, String jar, int texts) throws IOException {
    if (texts == 0 && component != UNKNOWN && !component.mayBeApache()) {
      throw new IOException(
          "%s: %s (%s) has no text of its licence: add it to dist/src/licences and its README.md"
              .formatted(jar, component.name(), component.licence()));
    }
  }

  private Path folder(String jar) throws IOException {
    return Files.createDirectories(
        output.resolve(jar.substring(0, jar.length() - ".jar".length())));
  }

  /** Copies our texts of a component to its jar's folder; returns their number. */
  private int copyOurs(Component component, String jar) throws IOException {
    String artifact = component == UNKNOWN ? jar.replaceFirst("-\\d.*", "") : component.name();
    List<OurText> ours = ourTexts.getOrDefault(artifact, List.of());
    for (OurText text : ours) {
      Path target = folder(jar).resolve(text.file().getFileName());
      Files.copy(text.file(), target, StandardCopyOption.REPLACE_EXISTING);
    }
    return ours.size();
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
          Path target = folder(name).resolve(path.replace('/', '-'));
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
                "you rely on it. For the libraries at the end of this page, the licence was read in the",
                "library's own text.",
                "",
                "The texts (licence, notice) are in the folder of the jar's name. They are those that the",
                "jar holds. If it holds none, the text is from the library's repository. 0: there is no",
                "text, which the build accepts if the licence is Apache-2.0, if Apache-2.0 is one of the",
                "licences to choose from, or if the build is offline. A jar of several components has the",
                "texts that shading kept and those from the repositories, not one for each component.",
                "",
                "Lastfix's own licence is `LICENSE` in the archive's root, which is also the text of",
                "Apache-2.0."));
    lines.addAll(list);
    lines.addAll(List.of("", "## Licences read in the library's own text", ""));
    ourTexts.keySet().forEach(artifact -> lines.add("- " + artifact));
    Files.write(output.resolve("BUNDLED.md"), lines, UTF_8);
  }
}
