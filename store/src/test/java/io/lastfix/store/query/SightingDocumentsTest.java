package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import java.time.Instant;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class SightingDocumentsTest {
  private static final Instant AT = Instant.parse("2026-11-20T12:00:00Z");
  private static final Position TOWER = new Position(-122.4, 37.75);
  private static final Position OWN = new Position(-122.41, 37.76);

  @Test
  void aDocumentWithoutAPositionHasNoSource() {
    assertThat(history("{user: 'u', ts: {$date: 1795176000000}, cell: '1-1-1-1', radio: 'LTE'}"))
        .isEqualTo(new Sighting("u", AT, "1-1-1-1", null));
  }

  @Test
  void aDocumentWhosePositionWasFoundLaterSaysWhen() {
    Sighting found =
        history(
            "{user: 'u', ts: {$date: 1795176000000}, cell: '1-1-1-1', loc: {lon: -122.4, lat: 37.75},"
                + " src: 'cell', located: {$date: 1795262400123}}");

    assertThat(found.located()).isEqualTo(Instant.parse("2026-11-21T12:00:00.123Z"));
    assertThat(found.source()).isEqualTo(PositionSource.CELL);
  }

  @Test
  void aDocumentWithAnOwnPositionKeepsEverything() {
    assertThat(
            history(
                "{user: 'u', ts: {$date: 1795176000000}, cell: '1-1-1-1', loc: {lon: -122.41, lat: 37.76},"
                    + " src: 'mlp', acc: 12.5, alt: 30.0, shape: {type: 'Point', coordinates: [0, 0]},"
                    + " cellLoc: {lon: -122.4, lat: 37.75}, far: true}"))
        .isEqualTo(
            new Sighting(
                "u", AT, "1-1-1-1", OWN, PositionSource.MLP, 12.5, 30.0, TOWER, true, null));
  }

  @Test
  void aDocumentWithoutACellIsReadFromBothCollections() {
    Sighting own =
        new Sighting("u", AT, null, OWN, PositionSource.GNSS, null, null, null, false, null);

    assertThat(
            history(
                "{user: 'u', ts: {$date: 1795176000000}, loc: {lon: -122.41, lat: 37.76}, src: 'gnss'}"))
        .isEqualTo(own);
    String stored =
        "{ts: {$date: 1795176000000}, cell: null, loc: {lon: -122.41, lat: 37.76}, src: 'gnss', acc: null}";
    Document document = Document.parse("{_id: 'u', last: %s, fix: %s}".formatted(stored, stored));
    assertThat(SightingDocuments.ofLastKnownLocation(document))
        .isEqualTo(new LastKnownLocation(own, own));
  }

  @Test
  void aTowerHasANullForItsFix() {
    assertThat(
            SightingDocuments.ofLastKnownLocation(
                Document.parse(
                    "{_id: 'u', last: {ts: {$date: 1795176000000}, cell: '1-1-1-1',"
                        + " loc: {lon: -122.4, lat: 37.75}, src: 'cell', acc: null}, fix: null}")))
        .isEqualTo(new LastKnownLocation(new Sighting("u", AT, "1-1-1-1", TOWER), null));
  }

  private static Sighting history(String json) {
    return SightingDocuments.ofHistory(Document.parse(json));
  }
}
