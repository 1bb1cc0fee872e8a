package io.lastfix.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.jspecify.annotations.Nullable;

/**
 * A job whose subtasks count and forget as Flink's do, in front of the real ledger: whatever it
 * reads, and whenever its checkpoints fail or it resumes with another parallelism, each completed
 * checkpoint accounts for all records, and for nothing twice.
 */
class LedgerPropertyTest {
  /** What happens next, and how much of it. */
  private record Event(What what, int size) {}

  private enum What {
    READ,
    RELEASE,
    COMPLETED_CHECKPOINT,
    ABORTED_CHECKPOINT,
    FAILURE
  }

  @Property(tries = 200)
  void everyCompletedCheckpointBalances(@ForAll("events") List<Event> events) throws Exception {
    try (Job job = new Job(Integer.MAX_VALUE)) {
      for (Event event : events) {
        job.happens(event);
        if (event.what() == What.COMPLETED_CHECKPOINT) {
          assertThat(job.ledger.reported("unaccounted")).isZero();
          assertThat(job.ledger.reported("in")).isEqualTo(job.position);
          assertThat(job.ledger.reported("notRecords")).isEqualTo(job.notRecords);
          assertThat(job.ledger.reported("waiting")).isEqualTo(job.waiting.size());
          assertThat(job.ledger.reported("stored") + job.ledger.reported("duplicates"))
              .isEqualTo(
                  job.position - job.rejected - job.erased - job.notRecords - job.waiting.size());
        }
      }
    }
  }

  @Property(tries = 100)
  void aRecordThatTheSinkLosesIsUnaccountedForEver(
      @ForAll("events") List<Event> events, @ForAll @IntRange(min = 5, max = 9) int lost)
      throws Exception {
    // Those numbers are stored at once. If no event reads so far, this does.
    try (Job job = new Job(lost)) {
      for (Event event : events) {
        job.happens(event);
      }
      job.happens(new Event(What.READ, 10));
      job.happens(new Event(What.COMPLETED_CHECKPOINT, 1));
      assertThat(job.ledger.reported("unaccounted")).isEqualTo(1);
    }
  }

  @Provide
  Arbitrary<List<Event>> events() {
    return Arbitraries.of(What.values())
        .flatMap(what -> Arbitraries.integers().between(1, 9).map(size -> new Event(what, size)))
        .list()
        .ofMaxSize(40);
  }

  /** One subtask of an operator: all that it has counted since it started. */
  private static final class Subtask {
    private final LedgerAccount account = new LedgerAccount();
    private LedgerEntry counted = LedgerEntry.NONE;

    void count(LedgerEntry entry) {
      counted = counted.plus(entry);
    }

    LedgerEntry next() {
      return account.next(counted);
    }
  }

  /**
   * The record with number n is rejected, of an erased user, without a known cell, none, or stored.
   */
  private static final class Job implements AutoCloseable {
    private static final int DOCUMENTS = 25;

    private final int losesRecord;
    private final Set<Integer> history = new HashSet<>();

    private List<Subtask> parse = List.of();
    private List<Subtask> locate = List.of();
    private List<Subtask> sink = List.of();
    private LedgerHarness ledger = new LedgerHarness(null);
    private int position;
    private List<Integer> waiting = new ArrayList<>();
    private int rejected;
    private int erased;
    private int notRecords;
    private Cut cut = new Cut(null, 0, List.of(), 0, 0, 0);

    /** A completed checkpoint. */
    private record Cut(
        @Nullable OperatorSubtaskState ledger,
        int position,
        List<Integer> waiting,
        int rejected,
        int erased,
        int notRecords) {}

    Job(int losesRecord) throws Exception {
      this.losesRecord = losesRecord;
      start(2);
    }

    private void start(int parallelism) {
      parse = subtasks(parallelism);
      locate = subtasks(parallelism);
      sink = subtasks(parallelism);
      for (int record : waiting) {
        of(locate, record).count(LedgerEntry.ofWaiting(1));
      }
    }

    private static List<Subtask> subtasks(int parallelism) {
      return Stream.generate(Subtask::new).limit(parallelism).toList();
    }

    private static Subtask of(List<Subtask> subtasks, int record) {
      return subtasks.get(record % subtasks.size());
    }

    void happens(Event event) throws Exception {
      switch (event.what()) {
        case READ -> {
          for (int i = 0; i < event.size(); i++) {
            read(position++);
          }
        }
        case RELEASE -> {
          for (int i = 0; i < event.size() && !waiting.isEmpty(); i++) {
            int record = waiting.remove(0);
            of(locate, record).count(LedgerEntry.ofWaiting(-1));
            store(record);
          }
        }
        case COMPLETED_CHECKPOINT -> {
          send(parse, 1);
          send(locate, 1);
          send(sink, 1);
          cut =
              new Cut(
                  ledger.snapshot(), position, List.copyOf(waiting), rejected, erased, notRecords);
          ledger.complete();
        }
        case ABORTED_CHECKPOINT -> {
          // The barriers get past some subtasks only.
          send(parse, 1);
          send(sink, event.size());
        }
        case FAILURE -> {
          ledger.close();
          ledger = new LedgerHarness(cut.ledger());
          position = cut.position();
          waiting = new ArrayList<>(cut.waiting());
          rejected = cut.rejected();
          erased = cut.erased();
          notRecords = cut.notRecords();
          start(event.size());
        }
      }
    }

    private void send(List<Subtask> subtasks, int each) throws Exception {
      for (int i = 0; i < subtasks.size(); i += each) {
        ledger.entry(subtasks.get(i).next());
      }
    }

    private void read(int record) {
      of(parse, record).count(LedgerEntry.ofIn(1));
      switch (record % 10) {
        case 0 -> {
          rejected++;
          of(sink, record).count(LedgerEntry.ofRejected(1));
        }
        case 1 -> {
          erased++;
          of(sink, record).count(LedgerEntry.ofErased(1));
        }
        case 4 -> {
          notRecords++;
          of(parse, record).count(LedgerEntry.ofNotRecords(1));
        }
        case 2, 3 -> {
          waiting.add(record);
          of(locate, record).count(LedgerEntry.ofWaiting(1));
        }
        default -> store(record);
      }
    }

    private void store(int record) {
      if (record == losesRecord) {
        return;
      }
      boolean isNew = history.add(record % DOCUMENTS);
      of(sink, record).count(isNew ? LedgerEntry.ofStored(1, 0) : LedgerEntry.ofStored(0, 1));
    }

    @Override
    public void close() {
      ledger.close();
    }
  }
}
