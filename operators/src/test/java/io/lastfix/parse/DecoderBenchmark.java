package io.lastfix.parse;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.lastfix.model.LocationRecord;
import java.util.Locale;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.io.Stax2ByteArraySource;

/**
 * How much a decoder costs beside the bare library it stands on, over the same bytes in the same
 * run: {@code java -cp ... io.lastfix.parse.DecoderBenchmark}. Rounds alternate, and the best of
 * each counts, because other processes only ever make a round slower.
 */
public final class DecoderBenchmark {
  private static final int ROUNDS = 30;
  private static final int RECORDS_PER_ROUND = 100_000;

  private DecoderBenchmark() {}

  private interface Reading {
    /** Reads the message and returns something that depends on all of it. */
    long read(byte[] message) throws Exception;
  }

  private static final class CountingConsumer implements RecordConsumer {
    long records;

    @Override
    public void record(LocationRecord record) {
      records++;
    }

    @Override
    public void rejected(Rejection rejection) {
      throw new IllegalStateException("Rejected: " + rejection);
    }
  }

  /** Prints a line for each profile and size of message. */
  public static void main(String[] arguments) throws Exception {
    InputFactoryImpl xml = new InputFactoryImpl();
    JsonFactory json = new JsonFactory();
    for (int records : new int[] {1, 100}) {
      String events =
          records == 1
              ? Messages.ARCANUM
              : Messages.arcanumEvents(RecordDecoderContract.copies(Messages.ARCANUM, records));
      String positions = Messages.mlp(RecordDecoderContract.copies(Messages.MLP_CGI_POS, records));
      String lines = String.join("\n", RecordDecoderContract.copies(Messages.JSON, records));
      compare("arcanum", records, events, message -> bareXml(xml, message));
      compare("mlp", records, positions, message -> bareXml(xml, message));
      compare("json", records, lines, message -> bareJson(json, message));
    }
  }

  private static void compare(String profile, int records, String text, Reading bare)
      throws Exception {
    RecordDecoder decoder = Decoded.decoder(profile);
    CountingConsumer consumer = new CountingConsumer();
    Reading ours =
        message -> {
          decoder.decode(message, consumer);
          return consumer.records;
        };
    byte[] message = Messages.utf8(text);
    int repeats = RECORDS_PER_ROUND / records;
    double bestBare = Double.MAX_VALUE;
    double bestOurs = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      bestBare = Math.min(bestBare, microsPerRecord(bare, message, repeats, records));
      bestOurs = Math.min(bestOurs, microsPerRecord(ours, message, repeats, records));
    }
    System.out.printf(
        Locale.ROOT,
        "%-8s %4d records a message, %4d bytes each: bare %.2f us, decoder %.2f us, ratio %.2f%n",
        profile,
        records,
        message.length / records,
        bestBare,
        bestOurs,
        bestBare / bestOurs);
  }

  private static double microsPerRecord(Reading reading, byte[] message, int repeats, int records)
      throws Exception {
    long sum = 0;
    long start = System.nanoTime();
    for (int i = 0; i < repeats; i++) {
      sum += reading.read(message);
    }
    double micros = (System.nanoTime() - start) / 1e3;
    if (sum == 0) {
      throw new IllegalStateException("Nothing was read");
    }
    return micros / repeats / records;
  }

  private static long bareXml(InputFactoryImpl factory, byte[] message) throws Exception {
    XMLStreamReader reader =
        factory.createXMLStreamReader(new Stax2ByteArraySource(message, 0, message.length));
    long elements = 0;
    while (reader.hasNext()) {
      if (reader.next() == XMLStreamConstants.START_ELEMENT) {
        elements++;
      }
    }
    reader.close();
    return elements;
  }

  private static long bareJson(JsonFactory factory, byte[] message) throws Exception {
    long tokens = 0;
    try (JsonParser parser = factory.createParser(message)) {
      while (parser.nextToken() != null) {
        tokens++;
      }
    }
    return tokens;
  }
}
