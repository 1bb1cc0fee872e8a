package io.lastfix.rules.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.Position;
import io.lastfix.rules.fence.Fence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RuleBookTest {
  private static RuleBook with(RuleBook book, List<StoredMessage> messages) {
    RuleBook.Builder builder = book.toBuilder();
    messages.forEach(builder::add);
    return builder.build();
  }

  private static RuleMessage.OfRule rule(String id, long version, String yaml) {
    return new RuleMessage.OfRule(
        id, version, new RuleMessage.Content(yaml, "anna", Instant.EPOCH));
  }

  private static RuleMessage any(Random random) {
    String id = "ab".substring(random.nextInt(2)).substring(0, 1);
    long version = 1L + random.nextInt(4);
    return switch (random.nextInt(6)) {
      case 0 -> new RuleMessage.OfRule(id, version, null);
      case 1 -> new RuleMessage.OfFence(id, version, Instant.EPOCH, null);
      case 2 ->
          new RuleMessage.OfFence(
              id,
              version,
              Instant.EPOCH,
              new Fence(id, new Fence.Circle(new Position(0, 0), (double) version)));
      case 3 -> new RuleMessage.OfPause(id, version, "anna", "reason " + random.nextInt(3));
      case 4 -> new RuleMessage.Unreadable("rule/" + id, random.nextInt(4), "no JSON");
      default -> rule(id, version, "yaml " + random.nextInt(3));
    };
  }

  @Property
  void neitherOrderNorRepeatsNorPortionsChangeTheBook(@ForAll long seed) {
    Random random = new Random(seed);
    List<StoredMessage> messages = new ArrayList<>();
    int count = 1 + random.nextInt(30);
    for (int offset = 0; offset < count; offset++) {
      messages.add(new StoredMessage(offset, any(random)));
    }
    RuleBook expected = with(RuleBook.EMPTY, messages);

    List<StoredMessage> shuffled = new ArrayList<>(messages);
    shuffled.addAll(messages.subList(0, random.nextInt(messages.size())));
    Collections.shuffle(shuffled, random);
    int half = random.nextInt(shuffled.size());
    RuleBook book =
        with(
            with(RuleBook.EMPTY, shuffled.subList(0, half)),
            shuffled.subList(half, shuffled.size()));

    assertThat(book).isEqualTo(expected).hasSameHashCodeAs(expected);
    assertThat(book.rules()).isEqualTo(expected.rules());
    assertThat(book.fences()).isEqualTo(expected.fences());
    assertThat(book.unreadable()).isEqualTo(expected.unreadable());
  }

  @Property
  void compactionChangesOnlyWhatIsEndangered(@ForAll long seed) {
    Random random = new Random(seed);
    List<StoredMessage> messages = new ArrayList<>();
    Map<String, StoredMessage> last = new TreeMap<>();
    int count = 1 + random.nextInt(10);
    for (int offset = 0; offset < count; offset++) {
      RuleMessage any = any(random);
      if (any instanceof RuleMessage.Unreadable) {
        // It cannot be written again.
        any = rule("a", 1, "yaml");
      }
      StoredMessage message = new StoredMessage(offset, any);
      messages.add(message);
      last.put(message.message().key(), message);
    }
    RuleBook book = with(RuleBook.EMPTY, messages);
    Set<String> endangered = new TreeSet<>();
    last.keySet().stream().filter(key -> book.endangered(key).isPresent()).forEach(endangered::add);

    // All else is as before even if the endangered keys are lost.
    List<StoredMessage> compacted = new ArrayList<>(last.values());
    compacted.removeIf(message -> endangered.contains(message.message().key()));
    List<StoredMessage> counting = new ArrayList<>(messages);
    counting.removeIf(message -> endangered.contains(message.message().key()));
    assertThat(with(RuleBook.EMPTY, compacted)).isEqualTo(with(RuleBook.EMPTY, counting));
  }

  @Test
  void theGreatestVersionCounts_AndOfEqualOnesTheLast() {
    RuleBook book =
        with(
            RuleBook.EMPTY,
            List.of(
                new StoredMessage(0, rule("a", 2, "second")),
                new StoredMessage(1, rule("a", 1, "first")),
                new StoredMessage(2, rule("b", 1, "early")),
                new StoredMessage(3, rule("b", 1, "late"))));

    assertThat(book.rules())
        .containsEntry("a", rule("a", 2, "second"))
        .containsEntry("b", rule("b", 1, "late"));
    assertThat(book.nextVersion("rule/a")).isEqualTo(3);
    assertThat(book.nextVersion("fence/a")).isEqualTo(1);
  }

  @Test
  void aDeletionStays_SoAnOlderVersionDoesNotComeBack() {
    RuleBook book =
        with(
            with(
                RuleBook.EMPTY,
                List.of(new StoredMessage(1, new RuleMessage.OfRule("a", 2, null)))),
            List.of(new StoredMessage(2, rule("a", 1, "first"))));

    assertThat(book.rules()).isEmpty();
    assertThat(book.nextVersion("rule/a")).isEqualTo(3);
  }

  @Test
  void aRepeatChangesNothing_AndNeitherDoesALateMessage() {
    RuleBook book = with(RuleBook.EMPTY, List.of(new StoredMessage(0, rule("a", 2, "second"))));
    RuleBook late = with(book, List.of(new StoredMessage(1, rule("a", 1, "first"))));
    RuleBook repeated = with(late, List.of(new StoredMessage(2, rule("a", 2, "second"))));

    assertThat(late).isEqualTo(book).hasSameHashCodeAs(book);
    assertThat(late.endangered("rule/a")).contains(rule("a", 2, "second"));
    assertThat(repeated).isEqualTo(book);
    assertThat(repeated.endangered("rule/a")).isEmpty();
  }

  @Test
  void anUnreadableMessageCountsByItsVersion() {
    RuleMessage.Unreadable newer = new RuleMessage.Unreadable("rule/a", 3, "no text yaml");
    RuleBook book =
        with(
            RuleBook.EMPTY,
            List.of(
                new StoredMessage(0, newer),
                new StoredMessage(1, rule("a", 2, "second")),
                new StoredMessage(2, new RuleMessage.Unreadable("rule/b", 0, "no JSON")),
                new StoredMessage(3, rule("b", 1, "first")),
                new StoredMessage(4, new RuleMessage.Unreadable("rule/b", 0, "no JSON"))));

    assertThat(book.rules()).containsOnlyKeys("b");
    assertThat(book.unreadable()).containsExactly(newer);
    assertThat(book.nextVersion("rule/b")).isEqualTo(2);
    assertThat(book.endangered("rule/a")).isEmpty();
    assertThat(book.endangered("rule/b")).contains(rule("b", 1, "first"));
  }

  @Test
  void theMessageOfADeletedFenceIsFound() {
    RuleMessage.OfFence deleted = new RuleMessage.OfFence("a", 2, Instant.EPOCH, null);
    RuleBook book = with(RuleBook.EMPTY, List.of(new StoredMessage(0, deleted)));

    assertThat(book.fence("a")).isEqualTo(deleted);
    assertThat(book.fences()).isEmpty();
    assertThat(book.fence("b")).isNull();
  }

  @Test
  void aPauseIsThatOfAVersion() {
    RuleMessage.OfPause pause = new RuleMessage.OfPause("a", 1, "anna", "at night");
    RuleBook book =
        with(
            RuleBook.EMPTY,
            List.of(new StoredMessage(0, rule("a", 1, "x")), new StoredMessage(1, pause)));

    assertThat(book.pause(rule("a", 1, "x"))).isEqualTo(pause);
    assertThat(book.pause(rule("a", 2, "y"))).isNull();
    assertThat(book.pause(rule("b", 1, "x"))).isNull();
  }
}
