package io.lastfix.audit.tree;

import io.lastfix.model.gzip.StrictGzipInputStream;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.profile.Profile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the messages of one profile. It keeps the parts that the profile's paths lead to, which
 * takes up to about twelve times the content's memory.
 */
public abstract class TreeReader {
  private static final int BUFFER_BYTES = 8 * 1024;

  private final RecordReader records;
  private final int maxContentBytes;
  private final int maxRecords;

  TreeReader(Profile profile, DecoderLimits limits) {
    this.records = new RecordReader(profile, limits.maxTextLength());
    this.maxContentBytes = limits.maxDecompressedBytes();
    this.maxRecords = limits.maxRecordsPerMessage();
  }

  /**
   * A reader for messages of that profile.
   *
   * @param limits of the job. A message with too many records is a single problem, and none of them
   *     is read
   */
  public static TreeReader of(Profile profile, DecoderLimits limits) {
    return switch (profile.format()) {
      case XML -> new XmlTreeReader(profile, limits);
      case JSON -> new JsonTreeReader(profile, limits);
      case FORM -> new FormTreeReader(profile, limits);
    };
  }

  /** Reads one message. */
  public final TreeReading read(byte @Nullable [] message) {
    List<FoundRecord> found = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    long notRecords = 0;
    try {
      List<RecordTree> trees = trees(content(message));
      for (int i = 0; i < trees.size(); i++) {
        try {
          found.add(records.read(trees.get(i)));
        } catch (NoRecordException e) {
          notRecords++;
        } catch (UnreadableException e) {
          problems.add("record " + (i + 1) + ": " + e.getMessage());
        }
      }
      if (trees.isEmpty()) {
        problems.add("no record in the message");
      }
    } catch (UnreadableException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    return new TreeReading(found, problems, notRecords);
  }

  private byte[] content(byte @Nullable [] message) throws UnreadableException {
    if (message == null || message.length == 0) {
      throw new UnreadableException("the message is empty");
    }
    boolean isGzip =
        message.length > 1 && (message[0] & 0xff) == 0x1f && (message[1] & 0xff) == 0x8b;
    if (!isGzip) {
      return message;
    }
    try (StrictGzipInputStream in =
        new StrictGzipInputStream(new ByteArrayInputStream(message), BUFFER_BYTES)) {
      byte[] content = in.readNBytes(maxContentBytes);
      if (in.read() >= 0) {
        throw new UnreadableException("inflates to more than " + maxContentBytes + " bytes");
      }
      return content;
    } catch (IOException e) {
      throw new UnreadableException("not gzip", e);
    }
  }

  /** Adds a record, unless the message has too many. */
  final void add(RecordTree record, List<RecordTree> found) throws UnreadableException {
    if (found.size() == maxRecords) {
      throw new UnreadableException("more than " + maxRecords + " records");
    }
    found.add(record);
  }

  /** All records of a message, in order. */
  abstract List<RecordTree> trees(byte[] content) throws UnreadableException;

  /** A part of a message, or a whole one, that the profile knows to be no record. */
  static final class NoRecordException extends UnreadableException {
    NoRecordException() {
      super("no record");
    }
  }

  /**
   * The content of one message.
   *
   * @param records in the order of the message
   * @param problems one for each unreadable record, or one for the message; they quote nothing from
   *     it
   * @param notRecords the number of what the profile knows to be no record
   */
  public record TreeReading(List<FoundRecord> records, List<String> problems, long notRecords) {}
}
