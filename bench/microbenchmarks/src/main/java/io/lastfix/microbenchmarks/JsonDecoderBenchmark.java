package io.lastfix.microbenchmarks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lastfix.parse.UserRule;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
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
 * JSON, one object a line: the decoder, and bare loops of Jackson over the same bytes. A score is
 * the time of one record.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SampleMessages.RECORDS)
public class JsonDecoderBenchmark {
  private final JsonFactory factory = new JsonFactory();

  @Param({"1", "50"})
  private int recordsPerMessage;

  private byte[][] messages = {};
  private MeasuredDecoder decoder;
  private MeasuredDecoder decoderThatChecksUsers;

  /** Called by JMH. */
  @Setup
  public void prepare() throws IOException {
    messages = SampleMessages.of("json", recordsPerMessage);
    decoder = new MeasuredDecoder("json");
    decoderThatChecksUsers = new MeasuredDecoder("json", UserRule.ALL);
  }

  /** The decoder of Lastfix. */
  @Benchmark
  public void decoder(Blackhole blackhole) {
    decoder.decode(messages, blackhole);
  }

  /** The decoder of Lastfix with {@code parse.check-users: all}. */
  @Benchmark
  public void decoderThatChecksUsers(Blackhole blackhole) {
    decoderThatChecksUsers.decode(messages, blackhole);
  }

  /** Calls {@code nextToken()} only, which skips the texts without reading them. */
  @Benchmark
  public void bareJackson(Blackhole blackhole) throws IOException {
    for (byte[] message : messages) {
      int tokens = 0;
      try (JsonParser parser = factory.createParser(message)) {
        while (parser.nextToken() != null) {
          tokens++;
        }
      }
      blackhole.consume(tokens);
    }
  }

  /** Also reads the names of all members and their values as characters. */
  @Benchmark
  public void jacksonWithTexts(Blackhole blackhole) throws IOException {
    for (byte[] message : messages) {
      try (JsonParser parser = factory.createParser(message)) {
        JsonToken token = parser.nextToken();
        while (token != null) {
          if (token == JsonToken.FIELD_NAME) {
            blackhole.consume(parser.currentName());
          } else if (token.isScalarValue()) {
            blackhole.consume(parser.getTextCharacters());
            blackhole.consume(parser.getTextLength());
          }
          token = parser.nextToken();
        }
      }
    }
  }
}
