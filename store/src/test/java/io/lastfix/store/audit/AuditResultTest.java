package io.lastfix.store.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.CollectionsPage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AuditResultTest {
  private static final Instant AT = Instant.parse("2026-11-20T12:00:00Z");

  private static AuditResult result(@Nullable Instant from) {
    return new AuditResult(
        "fleet",
        AT,
        1_500,
        from,
        null,
        List.of("lastfix.location.json"),
        10,
        6,
        2,
        1,
        1,
        3,
        2,
        "1 missing");
  }

  @Test
  void aDocumentHasEverything() {
    for (AuditResult result : List.of(result(null), result(AT))) {
      assertThat(AuditResult.of(result.toDocument())).isEqualTo(result);
    }
  }

  @Test
  void theManualHasTheFieldsOfADocumentInTheirOrder() {
    assertThat(CollectionsPage.outlines(AuditResults.COLLECTION))
        .containsExactly("{%s}".formatted(String.join(", ", result(AT).toDocument().keySet())));
  }

  @Test
  void jsonNamesTheRangeOnlyIfThereIsOne() {
    assertThat(result(AT).toJson().toString())
        .isEqualTo(
            "{\"job\":\"fleet\",\"at\":\"2026-11-20T12:00:00Z\",\"tookMillis\":1500,"
                + "\"from\":\"2026-11-20T12:00:00Z\",\"topics\":[\"lastfix.location.json\"],"
                + "\"records\":10,\"history\":6,\"duplicates\":2,\"rejected\":1,"
                + "\"discrepancies\":1,\"notJudged\":3,\"undecided\":2,"
                + "\"verdict\":\"1 missing\"}");
    assertThat(result(null).toJson().has("from")).isFalse();
  }
}
