package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.ReplaceOneModel;
import io.lastfix.sink.NumberSink.ResultBatching;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.ResultConverter;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.StoredResult;
import io.lastfix.store.timeline.Trip;
import io.lastfix.store.timeline.TripChange;
import io.lastfix.store.timeline.WindowState;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.EncoderContext;
import org.bson.io.BasicOutputBuffer;
import org.junit.jupiter.api.Test;

class ResultBatchingTest {
  /** 2026-11-20T12:00:00Z. */
  private static final long T = 1_795_176_000_000L;

  private static final NumberCollections DENSITY =
      NumberCollections.ofWindows("density", PartitionPeriod.MONTH);
  private static final DensityCount TWENTY =
      new DensityCount(T, PlaceKind.CELL, "310-260-7-1", 20, WindowState.OPEN);
  private static final DensityCount GONE =
      new DensityCount(T, PlaceKind.CELL, "310-260-7-1", 0, WindowState.DELETED);

  private final ResultBatching<DensityCount> batching = new ResultBatching<>(DENSITY);

  @Test
  void theTimeDecidesOnTheCollection() {
    assertThat(batching.collection(TWENTY)).isEqualTo("density_2026_11");
  }

  /** A number may fall, and a delete be followed by an upsert: the last write wins. */
  @Test
  void theLastResultOfADocumentWinsWhateverItIs() {
    assertThat(batching.coalescingKey(GONE)).isEqualTo(batching.coalescingKey(TWENTY));
    assertThat(batching.maxEncodedBytes(GONE)).isEqualTo(batching.maxEncodedBytes(TWENTY));
    assertThat(batching.supersedes(GONE, TWENTY)).isTrue();
    assertThat(batching.supersedes(TWENTY, GONE)).isTrue();
    assertThat(batching.needsOrder()).isTrue();
  }

  @Property(tries = 200)
  void noWriteIsLargerThanTheBatchingReckons(
      @ForAll String user, @ForAll @StringLength(max = 40) String place) {
    assertFits(
        ResultConverter.ofHistory(Instant.ofEpochMilli(T)),
        new DensityCount(T, PlaceKind.AREA, place, Integer.MAX_VALUE, WindowState.CLOSED));
    assertFits(
        ResultConverter.ofHistory(Instant.ofEpochMilli(T)),
        new FlowCount(T, PlaceKind.AREA, place, place, 1, 1, WindowState.CLOSED));
    assertFits(
        ResultConverter.ofStream(),
        new StayChange(user, new Stay(PlaceKind.AREA, place, T, T, Stay.End.ABSENT), false));
    assertFits(
        ResultConverter.ofStream(),
        new TripChange(user, new Trip(PlaceKind.AREA, place, place, T, T, 1), false));
  }

  private static void assertFits(ResultConverter converter, StoredResult result) {
    ReplaceOneModel<BsonDocument> write = (ReplaceOneModel<BsonDocument>) converter.apply(result);
    int size = size(write.getReplacement()) + size(write.getFilter().toBsonDocument());
    assertThat(size).isLessThanOrEqualTo(ResultConverter.maxEncodedBytes(result));
  }

  private static int size(BsonDocument document) {
    BasicOutputBuffer encoded = new BasicOutputBuffer();
    new BsonDocumentCodec()
        .encode(new BsonBinaryWriter(encoded), document, EncoderContext.builder().build());
    return encoded.getSize();
  }
}
