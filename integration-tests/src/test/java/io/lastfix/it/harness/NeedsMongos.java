package io.lastfix.it.harness;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import io.lastfix.cluster.StackException;
import io.lastfix.local.MongosBinary;
import io.lastfix.local.ShardedMongo.ShardingPrograms;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Tests of a sharded cluster. They are skipped where there is no mongos, and none can be
 * downloaded; the report then says what they need.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsMongos.Condition.class)
public @interface NeedsMongos {
  /** Looks once for all tests of a JVM, as it may be a download that fails. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(NeedsMongos.class))
          .getOrComputeIfAbsent("mongos", absent -> look(), ConditionEvaluationResult.class);
    }

    private static ConditionEvaluationResult look() {
      try {
        ShardingPrograms programs =
            ShardingPrograms.locate(
                System.getenv(), LoggerFactory.getLogger(NeedsMongos.class)::info);
        String found =
            "routers are mongos %s, servers mongod %s"
                .formatted(programs.router(), programs.server());
        System.out.println("[sharded] " + found);
        return enabled(found);
      } catch (StackException e) {
        if (System.getenv(MongosBinary.PROGRAM_VARIABLE) != null) {
          // Somebody means these tests to run.
          throw e;
        }
        String reason = "skipped, for it needs a mongos: " + e.getMessage();
        System.out.println("[sharded] " + reason);
        return disabled(reason);
      }
    }
  }
}
