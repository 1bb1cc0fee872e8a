package io.lastfix.microbenchmarks;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.codehaus.stax2.io.Stax2ByteArraySource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * XML: the decoder, and bare loops of Aalto over the same bytes. A score is the time of one record.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SampleMessages.RECORDS)
public class XmlDecoderBenchmark {
  private final InputFactoryImpl factory = new InputFactoryImpl();

  @Param({"arcanum", "mlp"})
  private String profile = "";

  @Param({"1", "50"})
  private int recordsPerMessage;

  private byte[][] messages = {};
  private MeasuredDecoder decoder;

  /** Called by JMH. */
  @Setup
  public void prepare() throws IOException {
    messages = SampleMessages.of(profile, recordsPerMessage);
    decoder = new MeasuredDecoder(profile);
  }

  /** The decoder of Lastfix. */
  @Benchmark
  public void decoder(Blackhole blackhole) {
    decoder.decode(messages, blackhole);
  }

  /** Calls {@code next()} only, which skips the texts without reading them. */
  @Benchmark
  public void bareAalto(Blackhole blackhole) throws XMLStreamException {
    for (byte[] message : messages) {
      XMLStreamReader reader = reader(message);
      int elements = 0;
      while (reader.hasNext()) {
        if (reader.next() == XMLStreamConstants.START_ELEMENT) {
          elements++;
        }
      }
      reader.close();
      blackhole.consume(elements);
    }
  }

  /** Also reads the names of all elements and their texts as characters. */
  @Benchmark
  public void aaltoWithTexts(Blackhole blackhole) throws XMLStreamException {
    for (byte[] message : messages) {
      XMLStreamReader reader = reader(message);
      boolean mayHoldText = false;
      while (reader.hasNext()) {
        int event = reader.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          blackhole.consume(reader.getLocalName());
        } else if (event == XMLStreamConstants.CHARACTERS && mayHoldText) {
          blackhole.consume(reader.getTextCharacters());
          blackhole.consume(reader.getTextLength());
        }
        mayHoldText = event == XMLStreamConstants.START_ELEMENT;
      }
      reader.close();
    }
  }

  private XMLStreamReader reader(byte[] message) throws XMLStreamException {
    return factory.createXMLStreamReader(new Stax2ByteArraySource(message, 0, message.length));
  }
}
