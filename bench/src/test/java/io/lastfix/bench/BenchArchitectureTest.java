package io.lastfix.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** What ArchitectureTest (module cli) says of the others, whose class path lacks this one. */
class BenchArchitectureTest {
  private static final int MOST_IN_A_PACKAGE = 30;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.lastfix.bench");

  /** Its classes alone go to the cluster, beside the job's jar. */
  @Test
  void theStageJobUsesNothingElseOfTheBenchmark() {
    noClasses()
        .that()
        .resideInAPackage("io.lastfix.bench.stage..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.lastfix.bench",
            "io.lastfix.bench.measure..",
            "io.lastfix.bench.servers..",
            "io.lastfix.bench.load..",
            "io.lastfix.operate..")
        .check(CLASSES);
  }

  @Test
  void noTwoPackagesDependOnEachOther() {
    slices().matching("io.lastfix.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void noPackageHoldsMoreClassesThanAReaderCanKeepApart() {
    assertThat(
            CLASSES.stream()
                .filter(it -> !it.isNestedClass() && !it.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName)))
        .containsKey("io.lastfix.bench.stage")
        .allSatisfy((name, types) -> assertThat(types).hasSizeLessThanOrEqualTo(MOST_IN_A_PACKAGE));
  }

  @Test
  void eachPackageSaysThatNothingIsNullUnlessItIsMarked() {
    assertThat(CLASSES.stream().map(JavaClass::getPackage).distinct())
        .filteredOn(it -> !it.getClasses().isEmpty())
        .filteredOn(it -> !it.isAnnotatedWith(NullMarked.class))
        .extracting(JavaPackage::getName)
        .isEmpty();
  }
}
