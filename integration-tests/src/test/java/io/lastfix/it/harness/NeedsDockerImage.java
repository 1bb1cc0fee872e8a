package io.lastfix.it.harness;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/**
 * Tests in a container of an image. They are skipped where no Docker daemon answers or it does not
 * have the image, which nobody pulls; the report then says what they need.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsDockerImage.Condition.class)
public @interface NeedsDockerImage {
  /** The image. */
  public TestImage value();

  /** Looks once for each image and JVM. {@link NeverPull} holds for what it looks with, too. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      TestImage image =
          context.getRequiredTestClass().getAnnotation(NeedsDockerImage.class).value();
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(NeedsDockerImage.class))
          .getOrComputeIfAbsent(image, absent -> look(image), ConditionEvaluationResult.class);
    }

    private static ConditionEvaluationResult look(TestImage image) {
      try {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
          return skipped("a Docker daemon, and none answers");
        }
      } catch (RuntimeException e) {
        // Of many kinds, as when a helper's image is missing.
        return skipped("a Docker daemon that Testcontainers can use: " + e.getMessage());
      }
      if (!image.isHere()) {
        return skipped(
            "the image %s (or another, by %s), and Docker does not have it here"
                .formatted(image.reference(), image.variable()));
      }
      System.out.println("[container] the image is " + image.reference());
      return enabled("Docker has " + image.reference());
    }

    private static ConditionEvaluationResult skipped(String needed) {
      String reason = "skipped, for it needs " + needed;
      System.out.println("[container] " + reason);
      return disabled(reason);
    }
  }
}
