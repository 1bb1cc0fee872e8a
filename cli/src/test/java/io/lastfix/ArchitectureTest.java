package io.lastfix;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.shape.CoveringCircle;
import io.lastfix.parse.shape.GeoJson;
import io.lastfix.parse.shape.InvalidShapeException;
import io.lastfix.parse.shape.Shape;
import io.lastfix.recipe.Recipe;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the modules' dependencies, and {@code docs/ARCHITECTURE.md} against them. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.lastfix");

  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?(io\\.lastfix\\..+);");

  /** A class of Lastfix as a string in code. */
  private static final Pattern CLASS_AS_STRING =
      Pattern.compile("\"(io(?:\\.[a-z]+){2,}\\.[A-Z]\\w*)\"");

  /** Finds such a name in a script or in a file of the build, in a line that is no comment. */
  private static final Pattern CLASS_IN_FILE =
      Pattern.compile("(?m)^(?! *#).*\\b(io\\.lastfix(?:\\.[a-z]+)+\\.[A-Z]\\w*)");

  /** They start programs by name, too. */
  private static final List<String> STARTING_FILES =
      List.of(
          "cli/archive-classes.sh",
          "deploy/helm/lastfix/files/jobs.yaml",
          "deploy/pom.xml",
          "dist/src/main/bin/lastfix",
          "docker/compose.yaml",
          "docker/gateway.Dockerfile",
          "docker/notify.Dockerfile",
          "docker/run-location-job.sh",
          "jobs/pom.xml",
          "lastfix");

  private static final Path PAGE = Path.of("..", "docs", "ARCHITECTURE.md");

  /** A name of two words or more, in backticks or in a picture's box. */
  private static final Pattern NAMED =
      Pattern.compile("(?:`|<br/>)((?:[A-Z][a-z0-9]+){2,})(?:\\.\\w+\\(?\\)?)?[`\"]");

  /** Flink's classes, and a class within another one, that the pages name. */
  private static final Set<String> OF_FLINK =
      Set.of(
          "DatedSplit", "KafkaPartitionSplit", "KafkaSink", "KafkaSource", "RecordsWithSplitIds");

  /** More classes in a package would be too many for a reader. */
  private static final int MOST_IN_A_PACKAGE = 30;

  /** A module, which is a folder, and the modules that it may depend on. */
  private record Module(String name, List<Module> below) {
    Module(String name, Module... below) {
      this(name, List.of(below));
    }

    /** Its packages below {@code io.lastfix}, with theirs. */
    private Stream<String> all() {
      String[] folders =
          Path.of("..", name, "src", "main", "java", "io", "lastfix").toFile().list();
      return Stream.of(Objects.requireNonNull(folders, name)).map(it -> "io.lastfix." + it + "..");
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Module KIT = new Module("kit");
  private static final Module MODEL = new Module("model");
  private static final Module EXPRESSIONS = new Module("expressions");
  private static final Module RULES = new Module("rules", KIT, MODEL, EXPRESSIONS);
  private static final Module STORE = new Module("store", KIT, MODEL);
  private static final Module OPERATORS = new Module("operators", KIT, MODEL, RULES, STORE);
  private static final Module CATALOGS = new Module("catalogs", MODEL, OPERATORS);
  private static final Module ANALYTICS = new Module("analytics", MODEL, STORE, OPERATORS);
  private static final Module JOBS =
      new Module("jobs", KIT, MODEL, RULES, STORE, OPERATORS, CATALOGS, ANALYTICS);
  private static final Module SQL = new Module("sql", MODEL);
  private static final Module GATEWAY = new Module("gateway", KIT, MODEL);
  private static final Module NOTIFY = new Module("notify", KIT, MODEL, RULES);
  private static final Module CLUSTER = new Module("cluster", KIT, MODEL);
  private static final Module LOCAL = new Module("local", KIT, CLUSTER);
  private static final Module CONSOLE = new Module("console", KIT, MODEL, STORE, CLUSTER);
  private static final Module WORKLOAD = new Module("workload", MODEL);
  private static final Module AUDIT =
      new Module("audit", KIT, MODEL, STORE, OPERATORS, CLUSTER, WORKLOAD);
  private static final Module OPERATE =
      new Module(
          "operate",
          KIT,
          MODEL,
          EXPRESSIONS,
          RULES,
          STORE,
          OPERATORS,
          CATALOGS,
          ANALYTICS,
          JOBS,
          GATEWAY,
          NOTIFY,
          CONSOLE,
          CLUSTER,
          LOCAL,
          WORKLOAD,
          AUDIT);
  private static final Module CLI =
      new Module(
          "cli",
          MODEL,
          EXPRESSIONS,
          RULES,
          STORE,
          OPERATORS,
          CATALOGS,
          ANALYTICS,
          JOBS,
          GATEWAY,
          NOTIFY,
          CONSOLE,
          CLUSTER,
          LOCAL,
          WORKLOAD,
          AUDIT,
          OPERATE,
          KIT);

  private static Stream<Module> modules() {
    return Stream.of(
        KIT,
        MODEL,
        EXPRESSIONS,
        RULES,
        STORE,
        OPERATORS,
        CATALOGS,
        ANALYTICS,
        JOBS,
        GATEWAY,
        NOTIFY,
        CONSOLE,
        CLUSTER,
        LOCAL,
        WORKLOAD,
        AUDIT,
        OPERATE,
        SQL,
        CLI);
  }

  private static DescribedPredicate<JavaClass> ours() {
    return resideInAPackage("io.lastfix..");
  }

  /** The folders of the build, without the servers and other modules within them. */
  private static Set<String> folders() throws IOException {
    return nestedFolders().stream()
        .map(folder -> folder.replaceFirst("/.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> nestedFolders() throws IOException {
    return Pattern.compile("<module>([^<]+)</module>")
        .matcher(Files.readString(Path.of("..", "pom.xml")))
        .results()
        .map(module -> module.group(1))
        .toList();
  }

  @Test
  void thePageHasEachModuleInItsPictureAndInItsTableWithWhatItMayDependOn() throws IOException {
    String page = Files.readString(PAGE);
    Map<String, String> rows = new TreeMap<>();
    Pattern.compile("(?m)^\\| `([a-z-]+)/` \\| (.*) \\|$")
        .matcher(page)
        .results()
        .forEach(row -> rows.put(row.group(1), row.group(2)));

    assertThat(rows).containsOnlyKeys(folders());
    assertThat(page.split("```", -1)[1]).startsWith("mermaid").contains(folders());
    assertThat(modules())
        .allSatisfy(
            module -> {
              String row = rows.getOrDefault(module.name(), "");
              if (!row.matches(".*\\b(above|below)\\b.*")) {
                // Up to what it does without, and without what it needs a module for.
                String named = row.replaceAll("\\(.*?\\)|;.*", "");
                assertThat(modules().filter(it -> named.matches(".*\\b" + it + "\\b.*")))
                    .as(module.name())
                    .containsExactlyInAnyOrderElementsOf(module.below());
              }
            });
  }

  @Test
  void theClassesThatDevelopersPagesNameExist() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(PAGE));
    Set<String> classes = new HashSet<>(OF_FLINK);
    for (String folder : folders()) {
      pages.add(Path.of("..", folder, "README.md"));
      try (Stream<Path> files = Files.walk(Path.of("..", folder, "src"))) {
        files.forEach(file -> classes.add(file.getFileName().toString().replace(".java", "")));
      }
    }

    for (Path page : pages) {
      if (Files.exists(page)) {
        assertThat(NAMED.matcher(Files.readString(page)).results())
            .as(page.toString())
            .extracting(named -> named.group(1))
            .isSubsetOf(classes);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleDependsOnlyOnModulesBelowIt(Module module) {
    String[] allowed =
        Stream.concat(module.all(), module.below().stream().flatMap(Module::all))
            .toArray(String[]::new);

    noClasses()
        .that()
        .resideInAnyPackage(module.all().toArray(String[]::new))
        .should()
        .dependOnClassesThat(ours().and(DescribedPredicate.not(resideInAnyPackage(allowed))))
        .check(CLASSES);
  }

  /** What is added by {@code docs/extend}; a new package belongs to its folder's module. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "A command",
        "A REST route of the console",
        "A REST route of the gateway",
        "An operator",
        "A job",
        "A configuration key"
      })
  void whatIsAddedDependsOnlyOnModulesBelowIt(String title, @TempDir Path folder)
      throws IOException {
    try (Recipe recipe = new Recipe(title, folder)) {
      List<String> added =
          recipe.files().stream().filter(file -> file.contains("/src/main/java/")).toList();
      assertThat(added).isNotEmpty();
      for (String file : added) {
        Module module = modules().filter(it -> file.startsWith(it + "/")).findFirst().orElseThrow();
        List<String> allowed =
            Stream.concat(Stream.of(module), module.below().stream())
                .flatMap(it -> Stream.concat(it.all(), packages(added, it)))
                .map(name -> name.replace("..", "."))
                .toList();
        assertThat(IMPORT.matcher(recipe.text(file)).results())
            .extracting(it -> it.group(1))
            .allMatch(name -> allowed.stream().anyMatch(name::startsWith));
      }
    }
  }

  /** Of those files, the packages of a module, with the package's name behind each. */
  private static Stream<String> packages(List<String> files, Module module) {
    return files.stream()
        .filter(file -> file.startsWith(module + "/"))
        .map(file -> file.substring(file.indexOf("io/lastfix/"), file.lastIndexOf('/')))
        .map(name -> name.replace('/', '.') + "..");
  }

  @Test
  void everyClassBelongsToAModule() {
    String[] known = modules().flatMap(Module::all).toArray(String[]::new);

    classes().that(ours()).should().resideInAnyPackage(known).check(CLASSES);
  }

  /**
   * A program that starts another one names its class in a string, since the other one's module is
   * not on its class path. The compiler does not check such a name.
   */
  @Test
  void theProgramsThatAreStartedByNameExist() throws IOException {
    Set<String> programs = new TreeSet<>();
    Set<String> named = new TreeSet<>();
    for (String folder : nestedFolders()) {
      Path sources = Path.of("..", folder, "src", "main", "java");
      if (Files.exists(sources)) {
        for (Path file : javaFiles(sources)) {
          String code = Files.readString(file);
          if (code.contains("public static void main(String[] ")) {
            String path = sources.relativize(file).toString();
            programs.add(path.replace(".java", "").replace(File.separatorChar, '.'));
          }
          CLASS_AS_STRING.matcher(code).results().forEach(text -> named.add(text.group(1)));
        }
      }
    }
    assertThat(named)
        .contains(
            "io.lastfix.console.Main",
            "io.lastfix.gateway.Main",
            "io.lastfix.microbenchmarks.Main",
            "io.lastfix.server.hivemq.EmbeddedBroker",
            "io.lastfix.sql.shell.SqlShell");
    for (String name : STARTING_FILES) {
      List<String> started =
          CLASS_IN_FILE
              .matcher(Files.readString(Path.of("..", name)))
              .results()
              .map(line -> line.group(1))
              .toList();
      assertThat(started).as(name).isNotEmpty();
      named.addAll(started);
    }

    assertThat(programs).containsAll(named);
  }

  private static List<Path> javaFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void noTwoPackagesDependOnEachOther() {
    slices().matching("io.lastfix.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /**
   * An audit has its own reading of messages; it shares only the profiles and the limits with the
   * job's, and the geometry of shapes that it has read itself (docs/decisions/audit.md).
   */
  @Test
  void theAuditsTreeReadersUseNoDecoderOfTheJob() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.audit.tree..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.lastfix.parse..")
                .and(
                    DescribedPredicate.not(
                        resideInAPackage("io.lastfix.parse.profile..")
                            .or(
                                belongToAnyOf(
                                    DecoderLimits.class,
                                    Shape.class,
                                    CoveringCircle.class,
                                    GeoJson.class,
                                    InvalidShapeException.class)))))
        .check(CLASSES);
  }

  @Test
  void theModelIsPlainJava() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.model..")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages("io.lastfix.model..", "java..", "org.jspecify..")
        .check(CLASSES);
  }

  @Test
  void theKitKnowsNoFlinkNoMongoDbAndNoCommandLine() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.kit..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "com.mongodb..", "org.bson..", "picocli..")
        .check(CLASSES);
  }

  @Test
  void theStoreDoesNotUseFlinkOrKafka() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.store..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "org.apache.kafka..", "picocli..")
        .check(CLASSES);
  }

  /** So that another language, or another library for it, is a change of one module. */
  @Test
  void onlyTheExpressionsKnowCelAndJanino() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.lastfix.expressions..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.cel..", "com.google.protobuf..", "org.codehaus.janino..", "org.codehaus.commons..")
        .check(CLASSES);
  }

  /** So that a command, the job and later the console judge by the same classes. */
  @Test
  void theRulesUseNeitherFlinkNorMongoDbNorACommandLine() {
    noClasses()
        .that()
        .resideInAnyPackage("io.lastfix.expressions..", "io.lastfix.rules..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "com.mongodb..", "org.bson..", "picocli..")
        .check(CLASSES);
  }

  /** It runs beside the jobs, with a class path of its own, and takes down nothing if it fails. */
  @Test
  void theGatewayAndNotifyUseNeitherFlinkNorMongoDb() {
    noClasses()
        .that()
        .resideInAnyPackage("io.lastfix.gateway..", "io.lastfix.notify..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "com.mongodb..", "org.bson..", "picocli..")
        .check(CLASSES);
  }

  /** It runs beside the jobs, with a class path of its own. */
  @Test
  void theConsoleUsesNoFlink() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.console..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "picocli..")
        .check(CLASSES);
  }

  /** So that after an update of it one package has to be read again (jobs/README.md). */
  @Test
  void onePackageExtendsTheKafkaConnectorsInternals() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.lastfix.jobs.kafka.connector")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.flink.connector.kafka.source.metrics",
            "org.apache.flink.connector.kafka.source.reader",
            "org.apache.flink.connector.kafka.source.reader.fetcher")
        .check(CLASSES);
  }

  /** So that the command can use it without an HTTP server on its class path. */
  @Test
  void theConsolesConfigurationNeedsNoHttpServer() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.console.config..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.linecorp..", "io.netty..", "io.micrometer..")
        .check(CLASSES);
  }

  /** So that the commands can use them without an HTTP server on their class path. */
  @Test
  void signaturesAndDevicesNeedNoHttpServer() {
    noClasses()
        .that()
        .resideInAnyPackage("io.lastfix.gateway.signature..", "io.lastfix.gateway.devices..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("com.linecorp..", "io.netty..", "io.micrometer..")
        .check(CLASSES);
  }

  @Test
  void whatCommandsDoNeedsNoCommandLine() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.operate..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(CLASSES);
  }

  @Test
  void neitherTheClustersClientsNorTheServersHaveACommandLine() {
    noClasses()
        .that()
        .resideInAnyPackage("io.lastfix.cluster..", "io.lastfix.local..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.apache.flink..", "picocli..")
        .check(CLASSES);
  }

  @Test
  void eachPackageSaysThatNothingIsNullUnlessItIsMarked() {
    assertThat(CLASSES.stream().map(JavaClass::getPackage).distinct())
        .filteredOn(it -> !it.getClasses().isEmpty())
        .filteredOn(it -> !it.isAnnotatedWith(NullMarked.class))
        .extracting(JavaPackage::getName)
        .isEmpty();
  }

  @Test
  void noPackageHoldsMoreClassesThanAReaderCanKeepApart() {
    Map<String, List<String>> topLevel = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      if (!type.isNestedClass() && !type.getSimpleName().equals("package-info")) {
        topLevel
            .computeIfAbsent(type.getPackageName(), absent -> new ArrayList<>())
            .add(type.getSimpleName());
      }
    }

    assertThat(topLevel)
        .containsKey("io.lastfix.sink")
        .allSatisfy((name, types) -> assertThat(types).hasSizeLessThanOrEqualTo(MOST_IN_A_PACKAGE));
  }
}
