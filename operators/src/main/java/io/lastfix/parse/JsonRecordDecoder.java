package io.lastfix.parse;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.UTF8StreamJsonParser;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.Pairs;
import io.lastfix.parse.reader.MalformedMessageException;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.RecordFields.Surroundings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes JSON with Jackson's stream parser. A message is one object, an array of objects, or a
 * sequence of values, with or without line breaks between them. An array on the path to the records
 * stands for its elements. So does an array at a member of {@link Profile#batch}, and each element
 * also has what surrounds that array.
 *
 * <p>If a top-level record is not well-formed, decoding continues at a later line, with the next
 * record of newline-delimited JSON. If the record is malformed on its first line, each later line
 * is a record. The decoder decodes a line that starts with an opening brace, possibly after blanks,
 * and rejects any other line that is not blank. If the record is malformed on a later line, it may
 * be an object over several lines. Then the next record is the next line whose first byte is an
 * opening brace, since lines within an object are indented or start with a quote. In an array,
 * decoding continues with the next member if {@link JsonMembers} finds it. Inside other objects it
 * cannot continue.
 *
 * <p>Three limits apply, after which one rejection ends the message: the limit of records, {@link
 * #MAX_RECOVERIES}, and the message's length as the maximum number of bytes read again. After as
 * many bytes searched for the ends of malformed batches, such a batch is one malformed record.
 */
class JsonRecordDecoder extends RecordDecoder {
  /** How often decoding continues after a malformed record, in one message. */
  static final int MAX_RECOVERIES = 1_000;

  private static final int NOWHERE = JsonMembers.NOWHERE;
  private static final byte[] NOTHING = {};
  private static final String EXPECTED_TEXT = "expected a text or a whole number";
  private static final String EXPECTED_NUMBERS = "expected an array of numbers";

  private static final byte NEVER_IN_UTF8 = (byte) 0xff;
  private static final byte NEVER_IN_JSON = 1;

  private final JsonFactory factory;
  private final List<String> pathToRecords;

  /** Each name of the path, as it stands before its value. */
  private final List<String> openerOf;

  /** Start offset of the current parser, for messages. */
  private int parserStart;

  private int recoveries;
  private long bytesReadAgain;

  /** How many bytes were searched for the ends of malformed batches. */
  private long bytesSearched;

  /** The message. */
  private byte[] content = NOTHING;

  /**
   * The message, or a copy in which members that were read already are overwritten, so that reading
   * can start behind them.
   */
  private byte[] readable = NOTHING;

  /** Another such copy, for the elements of batches. */
  private byte[] readableBatches = NOTHING;

  /** What is open around the current record: brackets, and the names on the path to the records. */
  private final StringBuilder openers = new StringBuilder();

  /**
   * Offset after the last bracket of an array on the path to the records, or after the last object
   * that is its member.
   */
  private int resumeAt;

  /** True if an object that is a member of that array has begun since {@link #resumeAt}. */
  private boolean isMemberOpen;

  /** Where reading last continued in an array; {@link #NOWHERE} before. */
  private int recoveredAt;

  /** The arrays of records in the current one. */
  private final List<Batch> batches = new ArrayList<>();

  /** True if the current record has to be read again, without a malformed batch. */
  private boolean isReadAgain;

  /** What surrounds the elements that are being read; null outside of a batch. */
  private @Nullable Surroundings around;

  private PathNode stands = recordNode;

  /**
   * An array of records.
   *
   * @param at offset of the bracket that starts it
   */
  private record Batch(PathNode node, int at) {}

  JsonRecordDecoder(Profile profile, DecoderLimits limits, RecordAssembler assembler) {
    super(limits, assembler);
    pathToRecords = profile.record();
    openerOf =
        pathToRecords.stream()
            .map(name -> '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\":")
            .toList();
    factory =
        JsonFactory.builder()
            // Names of members come from the message, and interned ones would stay in memory
            // forever.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(limits.maxNestingDepth())
                    // Skipped values may have any length; the fields check the length of the
                    // others.
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();
  }

  @Override
  String nameOfRecord() {
    return pathToRecords.isEmpty() ? "record" : String.join("/", pathToRecords);
  }

  @Override
  void decodeRecords(byte[] message) throws MalformedMessageException {
    recoveries = 0;
    bytesReadAgain = 0;
    bytesSearched = 0;
    content = withoutPadding(message);
    readable = content;
    readableBatches = content;
    recoveredAt = NOWHERE;
    isReadAgain = false;
    try {
      int from = 0;
      while (from != NOWHERE) {
        from = decodeValues(from);
      }
    } finally {
      content = NOTHING;
      readable = NOTHING;
      readableBatches = NOTHING;
    }
  }

  /**
   * Replaces bytes of 255, which UTF-8 never contains, with bytes that JSON never contains.
   *
   * <p>Jackson looks up names by groups of four bytes, padded with 255, before it validates UTF-8.
   * A name of 255 and {@code mcc} therefore equals {@code mcc} if an earlier message had that name.
   * The result of a message must not depend on earlier messages.
   */
  private static byte[] withoutPadding(byte[] content) {
    if (!isUtf8(content)) {
      return content;
    }
    byte[] replaced = content;
    for (int i = 0; i < content.length; i++) {
      if (content[i] == NEVER_IN_UTF8) {
        if (replaced == content) {
          replaced = content.clone();
        }
        replaced[i] = NEVER_IN_JSON;
      }
    }
    return replaced;
  }

  /**
   * Distinguishes UTF-8 from UTF-16 and UTF-32 as RFC 4627 does: by the byte order mark, or by
   * zeros among the first four bytes.
   */
  private static boolean isUtf8(byte[] content) {
    if (content.length < 4) {
      return true;
    }
    boolean hasMark =
        (content[0] == (byte) 0xfe && content[1] == (byte) 0xff)
            || (content[0] == (byte) 0xff && content[1] == (byte) 0xfe);
    return !hasMark && content[0] != 0 && content[1] != 0 && content[2] != 0 && content[3] != 0;
  }

  /**
   * Decodes the values from that offset on.
   *
   * @return where to continue after a malformed record, or {@link #NOWHERE} at the end
   */
  private int decodeValues(int from) throws MalformedMessageException {
    int values = 0;
    boolean mayRecover = true;
    openers.setLength(0);
    JsonParser parser = open(readable, from);
    try {
      JsonToken token = next(parser);
      while (token != null) {
        mayRecover = pathToRecords.isEmpty() && token == JsonToken.START_OBJECT;
        findRecords(parser, token, around == null ? 0 : pathToRecords.size());
        if (around != null) {
          return NOWHERE;
        }
        values++;
        mayRecover = pathToRecords.isEmpty();
        token = next(parser);
      }
      return NOWHERE;
    } catch (MalformedMessageException e) {
      boolean isInArray = openers.length() > 0 && openers.charAt(openers.length() - 1) == '[';
      if (isReadAgain) {
        isReadAgain = false;
        if (isInArray || openers.length() == 0) {
          return reopened(isInArray ? nextMember(resumeAt) : startOfValue(readable, from, values));
        }
      }
      if (isInArray) {
        return recoverInArray(e);
      }
      if (!mayRecover) {
        throw e;
      }
      int start = startOfValue(readable, from, values);
      int brokenAt = from + (int) Math.max(0, parser.currentLocation().getByteOffset());
      return recover(readable, start, brokenAt, e);
    } finally {
      close(parser);
    }
  }

  /**
   * Rejects the malformed member of an array, and finds the next one.
   *
   * @return where to continue
   * @throws MalformedMessageException {@code broken}, if there is no next one, or a limit is
   *     reached
   */
  private int recoverInArray(MalformedMessageException broken) throws MalformedMessageException {
    int next = nextMember(isMemberOpen ? memberEnd(nextMember(resumeAt)) : resumeAt);
    if (next < recoveredAt || next == NOWHERE || ++recoveries > MAX_RECOVERIES) {
      throw broken;
    }
    if (next > recoveredAt) {
      rejectBroken(broken);
      recoveredAt = next;
      return reopened(next);
    }
    // What starts there is what is malformed, and rejected: an array nested too deep.
    int behind = nextMember(memberEnd(next));
    if (behind == NOWHERE) {
      throw broken;
    }
    return reopened(behind);
  }

  /**
   * Returns the offset of the next member of the innermost open array that is an object or an
   * array, or of the array's end; {@link #NOWHERE} if it is not to be found.
   */
  private int nextMember(int from) {
    boolean isInObject = around != null || openers.indexOf("{") >= 0;
    return from == NOWHERE ? NOWHERE : JsonMembers.next(content, from, isInObject);
  }

  private int memberEnd(int from) {
    return from == NOWHERE ? NOWHERE : JsonMembers.valueEnd(content, from);
  }

  /**
   * Lets reading start with the record, or the end of an array, at that offset. It writes what is
   * open around it just before it, in place of what was read: that is at least as long.
   */
  private int reopened(int at) {
    byte[] opened = openers.toString().getBytes(UTF_8);
    if (readable == content) {
      readable = content.clone();
    }
    System.arraycopy(opened, 0, readable, at - opened.length, opened.length);
    return at - opened.length;
  }

  /**
   * Rejects the malformed record, and finds the next one.
   *
   * @throws MalformedMessageException {@code broken}, if a limit is reached
   */
  private int recover(byte[] content, int start, int brokenAt, MalformedMessageException broken)
      throws MalformedMessageException {
    if (++recoveries > MAX_RECOVERIES || bytesReadAgain > content.length) {
      throw broken;
    }
    rejectBroken(broken);
    int lastReadAt = Math.max(start, brokenAt - 1);
    int endOfLine = endOfLine(content, start);
    if (endOfLine >= lastReadAt) {
      return nextRecordAmongLines(content, endOfLine, broken);
    }
    int next = nextLineWithObject(content, start);
    if (next != NOWHERE) {
      bytesReadAgain += Math.max(0, brokenAt - next);
    }
    return next;
  }

  /** Rejects the current record, or the content in place of one. */
  private void rejectBroken(MalformedMessageException broken) throws MalformedMessageException {
    if (!outcome.isWithinLimit()) {
      throw broken;
    }
    if (!outcome.isInRecord()) {
      outcome.found();
    }
    outcome.rejectRecord(broken.reason(), String.valueOf(broken.getMessage()));
  }

  /**
   * Returns the offset of the next line that starts an object, possibly after blanks; rejects the
   * lines before it.
   */
  private int nextRecordAmongLines(byte[] content, int from, MalformedMessageException broken)
      throws MalformedMessageException {
    int at = skipWhiteSpace(content, from);
    while (at < content.length) {
      if (content[at] == '{') {
        return at;
      }
      rejectBroken(
          new MalformedMessageException(broken.reason(), "expected an object at byte " + at));
      at = skipWhiteSpace(content, endOfLine(content, at));
    }
    return NOWHERE;
  }

  /**
   * Returns the start of a value, given the number of complete values before it. Reads those again:
   * recording each start would cost an object per record, and this case is rare.
   */
  private int startOfValue(byte[] content, int from, int precedingValues)
      throws MalformedMessageException {
    JsonParser parser = open(content, from);
    try {
      for (int i = 0; i < precedingValues; i++) {
        next(parser);
        skipChildren(parser);
      }
      long start = parser.currentLocation().getByteOffset();
      // In UTF-16 and UTF-32 the parser has no byte offset, and newline-delimited JSON is UTF-8.
      return start < 0 ? content.length : skipWhiteSpace(content, from + (int) start);
    } finally {
      close(parser);
    }
  }

  private static int skipWhiteSpace(byte[] content, int from) {
    int at = from;
    while (at < content.length && content[at] <= ' ' && content[at] >= 0) {
      at++;
    }
    return at;
  }

  /** Returns the offset of the line feed that ends the line, or the end of the message. */
  private static int endOfLine(byte[] content, int from) {
    int at = from;
    while (at < content.length && content[at] != '\n') {
      at++;
    }
    return at;
  }

  /** Returns the start of the next line whose first byte is an opening brace. */
  private static int nextLineWithObject(byte[] content, int from) {
    for (int i = from; i < content.length - 1; i++) {
      if (content[i] == '\n' && content[i + 1] == '{') {
        return i + 1;
      }
    }
    return NOWHERE;
  }

  /** Follows the path to the records from the value that starts with this token. */
  private void findRecords(JsonParser parser, JsonToken start, int step)
      throws MalformedMessageException {
    int outside = openers.length();
    if (start == JsonToken.START_ARRAY) {
      openers.append('[');
      resumeAfterBracket(parser);
      JsonToken token = nextInside(parser);
      while (token != JsonToken.END_ARRAY) {
        boolean isObject = token == JsonToken.START_OBJECT;
        isMemberOpen = isObject;
        findRecords(parser, token, step);
        if (isObject) {
          resumeAfterBracket(parser);
        }
        token = nextInside(parser);
      }
      resumeAfterBracket(parser);
      openers.setLength(outside);
    } else if (step == pathToRecords.size()) {
      readRecord(parser, start);
    } else if (start == JsonToken.START_OBJECT) {
      String wanted = pathToRecords.get(step);
      openers.append('{');
      String name = nextName(parser);
      while (name != null) {
        JsonToken token = nextInside(parser);
        if (name.equals(wanted)) {
          openers.append(openerOf.get(step));
          findRecords(parser, token, step + 1);
          openers.setLength(outside + 1);
        } else {
          skipChildren(parser);
        }
        name = nextName(parser);
      }
      openers.setLength(outside);
    }
  }

  private void readRecord(JsonParser parser, JsonToken start) throws MalformedMessageException {
    boolean isObject = start == JsonToken.START_OBJECT;
    // A record that is read again, or that has a batch, was found already.
    if (!outcome.isInRecord() && !outcome.found()) {
      skipChildren(parser);
      outcome.rejectPastLimit();
    } else if (!isObject) {
      outcome.rejectRecord(RejectionReason.BAD_VALUE, "expected an object");
    } else if (around != null) {
      fields.clear(around);
      readObject(parser, stands);
      fields.complete(around);
      endRecord();
    } else {
      fields.clear();
      batches.clear();
      try {
        readObject(parser, recordNode);
      } catch (MalformedMessageException e) {
        countBatches();
        throw e;
      }
      if (batches.isEmpty()) {
        endRecord();
      } else {
        readBatches(fields.surroundings());
      }
    }
  }

  /**
   * Reads an object to its end.
   *
   * @param start where it stands: the record, or the member that an element of a batch stands for.
   *     In the latter, a name that no path has there is one of the record.
   */
  private void readObject(JsonParser parser, PathNode start) throws MalformedMessageException {
    PathNode node = start;
    int depth = 0;
    while (true) {
      String name = nextName(parser);
      if (name == null) {
        if (depth == 0) {
          return;
        }
        PathNode parent = node.parent();
        depth--;
        node = depth == 0 || parent == null ? start : parent;
      } else {
        JsonToken token = nextInside(parser);
        PathNode child = node.child(name);
        if (child == null && depth == 0 && start != recordNode) {
          child = recordNode.child(name);
        }
        if (child == null) {
          skipChildren(parser);
        } else if (token == JsonToken.START_OBJECT && child.hasChildren()) {
          fields.enter(child);
          node = child;
          depth++;
        } else if (token == JsonToken.START_ARRAY && child.batch() != null && around == null) {
          noteBatch(parser, child);
        } else if (token == JsonToken.START_ARRAY && child.pairs() != null) {
          fields.enter(child);
          readPairs(parser, child, child.pairs());
        } else {
          readValue(parser, token, child);
        }
      }
    }
  }

  /**
   * Skips an array of records, which wait for what surrounds them. If it is malformed, it is
   * blanked, and the record around it read again.
   */
  private void noteBatch(JsonParser parser, PathNode node) throws MalformedMessageException {
    int at = offsetAfterBracket(parser);
    boolean isRepeated = batches.stream().anyMatch(batch -> batch.node() == node);
    if (isRepeated || at == NOWHERE) {
      fields.fail(
          RejectionReason.BAD_VALUE,
          node,
          isRepeated ? "expected once, found again" : "expected UTF-8 with an array of records");
      skipChildren(parser);
      return;
    }
    try {
      skipChildren(parser);
      batches.add(new Batch(node, at - 1));
    } catch (MalformedMessageException e) {
      int end = endOfMalformedBatch(at);
      if (end != NOWHERE && ++recoveries <= MAX_RECOVERIES) {
        readable = readable == content ? content.clone() : readable;
        Arrays.fill(readable, at, end, (byte) ' ');
        isReadAgain = true;
      }
      throw e;
    }
  }

  /**
   * Returns where the array ends whose first member may start at that offset; {@link #NOWHERE} if
   * it does not, or too much was searched already.
   */
  private int endOfMalformedBatch(int at) {
    // Each line of a message may begin an array that does not end.
    if (bytesSearched > content.length) {
      return NOWHERE;
    }
    int end = JsonMembers.arrayEnd(content, at);
    bytesSearched += (end == NOWHERE ? content.length : end) - at;
    return end;
  }

  /** Adds the records of the arrays in the current one, which is malformed, to its number. */
  private void countBatches() {
    int objects = 0;
    for (Batch batch : batches) {
      objects += JsonMembers.objects(content, batch.at() + 1);
    }
    if (!isReadAgain && objects > 0) {
      outcome.foundWithin(objects - 1);
    }
  }

  /** Reads the records of the arrays in the current one, which counts as the first of them. */
  private void readBatches(Surroundings surroundings) throws MalformedMessageException {
    byte[] outerReadable = readable;
    String outerOpeners = openers.toString();
    int outerStart = parserStart;
    int outerResumeAt = resumeAt;
    boolean isOuterOpen = isMemberOpen;
    around = surroundings;
    try {
      for (Batch batch : batches) {
        stands = Objects.requireNonNull(batch.node().batch());
        readable = readableBatches;
        int from = batch.at();
        while (from != NOWHERE) {
          from = decodeValues(from);
        }
        readableBatches = readable;
      }
    } finally {
      around = null;
      readable = outerReadable;
      openers.setLength(0);
      openers.append(outerOpeners);
      parserStart = outerStart;
      resumeAt = outerResumeAt;
      isMemberOpen = isOuterOpen;
    }
    if (outcome.isInRecord()) {
      outcome.rejectRecord(
          RejectionReason.MISSING_FIELD, "no record in " + batches.get(0).node().path());
    }
  }

  private void readValue(JsonParser parser, JsonToken token, PathNode node)
      throws MalformedMessageException {
    if (token == JsonToken.VALUE_NULL) {
      fields.see(node);
      return;
    }
    fields.enter(node);
    if (node.arraySlots().length > 0) {
      readArray(parser, token, node.arraySlots());
      return;
    }
    if (!node.hasSlot()) {
      skipChildren(parser);
    } else if (isText(token, node)) {
      readText(parser, node.slot());
    } else if (token.isBoolean() && fields.isLenient(node.slot())) {
      fields.set(node.slot(), String.valueOf(token == JsonToken.VALUE_TRUE));
    } else {
      fields.unreadable(node.slot(), EXPECTED_TEXT);
      skipChildren(parser);
    }
  }

  /** Reads an array of objects as the members of one object; ignores what is no such object. */
  private void readPairs(JsonParser parser, PathNode list, Pairs pairs)
      throws MalformedMessageException {
    JsonToken token = nextInside(parser);
    while (token != JsonToken.END_ARRAY) {
      if (token == JsonToken.START_OBJECT) {
        readPair(parser, list, pairs);
      } else {
        skipChildren(parser);
      }
      token = nextInside(parser);
    }
  }

  /** The name may come after the value, so the value waits for it as a text. */
  private void readPair(JsonParser parser, PathNode list, Pairs pairs)
      throws MalformedMessageException {
    PathNode node = null;
    JsonToken valueToken = null;
    String value = "";
    String member = nextName(parser);
    while (member != null) {
      JsonToken token = nextInside(parser);
      if (member.equals(pairs.name())) {
        node = token == JsonToken.VALUE_STRING ? list.child(text(parser)) : null;
      } else if (member.equals(pairs.value())) {
        valueToken = token;
        value = token.isScalarValue() ? text(parser) : "";
      }
      skipChildren(parser);
      member = nextName(parser);
    }
    if (node != null && valueToken != null) {
      setPair(node, valueToken, value);
    }
  }

  private void setPair(PathNode node, JsonToken token, String value) {
    // A list whose values are all texts has no other null.
    if (token == JsonToken.VALUE_NULL || value.equals("null")) {
      fields.see(node);
      return;
    }
    fields.enter(node);
    if (!node.hasSlot()) {
      return;
    }
    boolean isFlag = token.isBoolean() && fields.isLenient(node.slot());
    if (isFlag || isText(token, node)) {
      fields.set(node.slot(), value);
    } else {
      fields.unreadable(node.slot(), EXPECTED_TEXT);
    }
  }

  private static boolean isText(JsonToken token, PathNode node) {
    return token == JsonToken.VALUE_STRING
        || token == JsonToken.VALUE_NUMBER_INT
        || (token == JsonToken.VALUE_NUMBER_FLOAT && node.acceptsFraction());
  }

  /** Reads the first elements of an array of numbers; ignores elements beyond the slots. */
  private void readArray(JsonParser parser, JsonToken start, int[] slots)
      throws MalformedMessageException {
    if (start != JsonToken.START_ARRAY) {
      fields.unreadable(slots[0], EXPECTED_NUMBERS);
      skipChildren(parser);
      return;
    }
    int count = 0;
    JsonToken token = nextInside(parser);
    while (token != JsonToken.END_ARRAY) {
      if (count < slots.length && token.isNumeric()) {
        readText(parser, slots[count]);
      } else {
        if (count < slots.length) {
          fields.unreadable(slots[count], EXPECTED_NUMBERS);
        }
        skipChildren(parser);
      }
      count++;
      token = nextInside(parser);
    }
    if (count == 0) {
      fields.unreadable(slots[0], EXPECTED_NUMBERS);
    }
  }

  // The methods below call the library. On invalid bytes it may also throw any RuntimeException,
  // and each means that the message is malformed.

  private JsonParser open(byte[] content, int from) throws MalformedMessageException {
    parserStart = from;
    try {
      return factory.createParser(content, from, content.length - from);
    } catch (IOException | RuntimeException e) {
      throw new MalformedMessageException("not well-formed JSON at byte " + from, e);
    }
  }

  /** Returns the next token; null at the end of the message. */
  private @Nullable JsonToken next(JsonParser parser) throws MalformedMessageException {
    try {
      return parser.nextToken();
    } catch (IOException | RuntimeException e) {
      throw malformed(parser, e);
    }
  }

  /** Returns the next token at a place where the message must not end. */
  private JsonToken nextInside(JsonParser parser) throws MalformedMessageException {
    JsonToken token = next(parser);
    if (token == null) {
      throw malformed(parser, null);
    }
    return token;
  }

  /** Returns the name of an object's next member; null at the object's end. */
  private @Nullable String nextName(JsonParser parser) throws MalformedMessageException {
    try {
      String name = parser.nextFieldName();
      if (name == null && parser.currentToken() != JsonToken.END_OBJECT) {
        throw malformed(parser, null);
      }
      return name;
    } catch (IOException | RuntimeException e) {
      throw malformed(parser, e);
    }
  }

  /** Skips the object or array that starts with the current token, if there is one. */
  private void skipChildren(JsonParser parser) throws MalformedMessageException {
    try {
      parser.skipChildren();
    } catch (IOException | RuntimeException e) {
      throw malformed(parser, e);
    }
  }

  /**
   * Returns the offset after the bracket that is the current token; {@link #NOWHERE} in UTF-16 and
   * UTF-32, whose parser counts no bytes.
   */
  private int offsetAfterBracket(JsonParser parser) {
    // The parser's location would be an object for each array of a message.
    return parser instanceof UTF8StreamJsonParser utf8
        ? parserStart + (int) utf8.getTokenCharacterOffset()
        : NOWHERE;
  }

  private void resumeAfterBracket(JsonParser parser) {
    resumeAt = offsetAfterBracket(parser);
    isMemberOpen = false;
  }

  private String text(JsonParser parser) throws MalformedMessageException {
    try {
      return parser.getText();
    } catch (IOException | RuntimeException e) {
      throw malformed(parser, e);
    }
  }

  private void readText(JsonParser parser, int slot) throws MalformedMessageException {
    char[] text;
    int start;
    int length;
    try {
      text = parser.getTextCharacters();
      start = parser.getTextOffset();
      length = parser.getTextLength();
    } catch (IOException | RuntimeException e) {
      throw malformed(parser, e);
    }
    fields.set(slot, text, start, length);
  }

  private static void close(JsonParser parser) throws MalformedMessageException {
    try {
      parser.close();
    } catch (IOException e) {
      throw new MalformedMessageException("not well-formed JSON", e);
    }
  }

  private MalformedMessageException malformed(JsonParser parser, @Nullable Exception cause) {
    boolean isLimit = cause instanceof StreamConstraintsException;
    String what =
        isLimit
            ? "nested deeper than " + maxNestingDepth() + ", or a name is too long,"
            : "not well-formed JSON";
    long offset = parser.currentLocation().getByteOffset();
    String where = offset < 0 ? "" : " at byte " + (parserStart + offset);
    return new MalformedMessageException(what + where, cause);
  }
}
