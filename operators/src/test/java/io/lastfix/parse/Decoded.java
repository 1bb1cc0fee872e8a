package io.lastfix.parse;

import io.lastfix.model.LocationRecord;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps what a decoder yields for one message. */
public final class Decoded implements RecordConsumer {
  public final List<LocationRecord> records = new ArrayList<>();
  final List<Rejection> rejections = new ArrayList<>();
  int positionsIgnored;
  int cellsIgnored;
  int notRecords;

  @Override
  public void positionIgnored() {
    positionsIgnored++;
  }

  @Override
  public void cellIgnored() {
    cellsIgnored++;
  }

  @Override
  public void record(LocationRecord record) {
    records.add(record);
  }

  @Override
  public void notRecord() {
    notRecords++;
  }

  @Override
  public void rejected(Rejection rejection) {
    rejections.add(rejection);
  }

  public static Decoded of(RecordDecoder decoder, byte @Nullable [] message) {
    Decoded decoded = new Decoded();
    decoder.decode(message, decoded);
    return decoded;
  }

  public static Decoded of(RecordDecoder decoder, String message) {
    return of(decoder, Messages.utf8(message));
  }

  static RecordDecoder decoder(String profile) {
    return decoder(profile, DefaultLimits.DECODER);
  }

  static RecordDecoder decoder(String profile, DecoderLimits limits) {
    return decoder(profile(profile), limits);
  }

  static RecordDecoder decoder(Profile profile) {
    return decoder(profile, DefaultLimits.DECODER);
  }

  private static RecordDecoder decoder(Profile profile, DecoderLimits limits) {
    return RecordDecoder.of(profile, limits, DefaultLimits.TIMESTAMP, () -> Messages.NOW);
  }

  public static Profile profile(String name) {
    try {
      return ProfileLoader.load(name, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int rejectedRecords() {
    return rejections.stream().mapToInt(Rejection::records).sum();
  }
}
