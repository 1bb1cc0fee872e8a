package io.lastfix.audit.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.Pairs;
import io.lastfix.parse.profile.Profile.TypeChoice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of JSON into small trees of its own. Jackson's tree keeps only one of several
 * members with the same name, loses how a number was written, and keeps what no profile needs.
 */
final class JsonTreeReader extends TreeReader {
  private final List<String> pathToRecords;
  private final List<String> batch;
  private final List<Set<FieldPath>> wholes;
  private final Expected wanted;
  private final JsonFactory factory;

  JsonTreeReader(Profile profile, DecoderLimits limits) {
    super(profile, limits);
    wanted = Expected.of(profile);
    pathToRecords = profile.record();
    batch = profile.batch();
    wholes =
        List.of(
            paths(profile.users().stream().map(Profile.UserField::path)),
            paths(profile.timestamps().stream().map(Profile.TimestampField::path)),
            paths(profile.cells().stream().flatMap(RecordReader::paths)),
            paths(profile.positions().stream().flatMap(PositionReader::paths)));
    factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(limits.maxNestingDepth())
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();
  }

  private static Set<FieldPath> paths(Stream<@Nullable FieldPath> paths) {
    return paths.filter(Objects::nonNull).collect(Collectors.toSet());
  }

  /** A value. */
  private sealed interface Value {}

  /**
   * A text, or a number in its original form.
   *
   * @param isFraction whether it is a number with a point or an exponent
   */
  private record Text(String text, boolean isFraction) implements Value {}

  /** True or false, which are texts for a condition only. */
  private record Flag(boolean isTrue) implements Value {}

  /** A value that no field can have: an array or an object where none is expected, or null. */
  private record Other(boolean isNull) implements Value {}

  private record Member(String name, Value value) {}

  private record Members(List<Member> members) implements Value, RecordTree {
    @Override
    public Optional<String> text(FieldPath path, @Nullable TypeChoice choice) {
      return values(path).stream()
          .filter(Text.class::isInstance)
          .map(value -> ((Text) value).text().trim())
          .filter(text -> !text.isEmpty())
          .findFirst();
    }

    @Override
    public Optional<String> textOrFlag(FieldPath path) {
      return text(path, null)
          .or(
              () ->
                  values(path).stream()
                      .filter(Flag.class::isInstance)
                      .map(value -> String.valueOf(((Flag) value).isTrue()))
                      .findFirst());
    }

    @Override
    public boolean isRepeated(FieldPath path) {
      List<Value> values = List.of(this);
      for (String name : path.elements()) {
        values = values.stream().flatMap(value -> named(value, name).stream()).toList();
        if (values.size() > 1) {
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean isNoText(FieldPath path, int maxTextLength) {
      return values(path).stream()
          .anyMatch(
              value ->
                  value instanceof Flag
                      || (value instanceof Other other && !other.isNull())
                      || (value instanceof Text text
                          && (text.isFraction()
                              || RecordTree.isLonger(text.text(), maxTextLength))));
    }

    @Override
    public boolean isUnreadable(FieldPath path, int maxTextLength, boolean isNumber) {
      return values(path).stream()
          .anyMatch(
              value ->
                  (value instanceof Other other && !other.isNull())
                      || (value instanceof Text text
                          && (RecordTree.isLonger(text.text(), maxTextLength)
                              || (!isNumber && text.isFraction()))));
    }

    private List<Value> values(FieldPath path) {
      List<Value> values = List.of(this);
      for (String name : path.elements()) {
        values = values.stream().flatMap(value -> named(value, name).stream()).toList();
      }
      return values;
    }
  }

  /**
   * A record of a batch. It has what surrounds the batch where it has nothing itself.
   *
   * @param own of the element
   * @param around of the object with the array
   * @param wholes the paths of which it has all or nothing from around
   */
  private record Inside(Members own, Members around, List<Set<FieldPath>> wholes)
      implements RecordTree {
    private Members of(FieldPath path) {
      return Stream.concat(
                  Stream.of(path),
                  wholes.stream().filter(whole -> whole.contains(path)).flatMap(Set::stream))
              .anyMatch(this::isOwn)
          ? own
          : around;
    }

    private boolean isOwn(FieldPath path) {
      return own.values(path).stream()
          .anyMatch(
              value ->
                  !(value instanceof Other other && other.isNull())
                      && !(value instanceof Text text && text.text().isBlank()));
    }

    @Override
    public Optional<String> text(FieldPath path, @Nullable TypeChoice choice) {
      return of(path).text(path, choice);
    }

    @Override
    public Optional<String> textOrFlag(FieldPath path) {
      return of(path).textOrFlag(path);
    }

    @Override
    public boolean isRepeated(FieldPath path) {
      return of(path).isRepeated(path);
    }

    @Override
    public boolean isNoText(FieldPath path, int maxTextLength) {
      return of(path).isNoText(path, maxTextLength);
    }

    @Override
    public boolean isUnreadable(FieldPath path, int maxTextLength, boolean isNumber) {
      return of(path).isUnreadable(path, maxTextLength, isNumber);
    }
  }

  /** The members of that name; none if the value is not an object. */
  private static List<Value> named(Value value, String name) {
    return value instanceof Members object
        ? object.members().stream()
            .filter(member -> member.name().equals(name))
            .map(Member::value)
            .toList()
        : List.of();
  }

  @Override
  List<RecordTree> trees(byte[] content) throws UnreadableException {
    List<RecordTree> found = new ArrayList<>();
    try (JsonParser parser = factory.createParser(content)) {
      while (parser.nextToken() != null) {
        collect(parser, 0, found);
      }
    } catch (IOException | RuntimeException e) {
      // Any RuntimeException too, because Jackson throws some on bytes in no encoding. Omits its
      // message, which quotes the payload.
      throw new UnreadableException("not well-formed JSON", e);
    }
    return found;
  }

  /** Reads to the end of the current value; arrays may surround a record at any level. */
  private void collect(JsonParser parser, int step, List<RecordTree> found)
      throws IOException, UnreadableException {
    boolean isObject = parser.currentToken() == JsonToken.START_OBJECT;
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        collect(parser, step, found);
      }
    } else if (step == pathToRecords.size()) {
      if (isObject) {
        addRecords(parser, found);
      } else {
        add(new Members(List.of()), found);
      }
    } else if (isObject) {
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        boolean isOnPath = parser.currentName().equals(pathToRecords.get(step));
        parser.nextToken();
        if (isOnPath) {
          collect(parser, step + 1, found);
        } else {
          parser.skipChildren();
        }
      }
    }
  }

  /** Adds the record that the current object is, or those in its batches. */
  private void addRecords(JsonParser parser, List<RecordTree> found)
      throws IOException, UnreadableException {
    List<Member> around = new ArrayList<>();
    List<Members> elements = new ArrayList<>();
    boolean hasBatch = false;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      boolean isBatch = parser.nextToken() == JsonToken.START_ARRAY && batch.contains(name);
      hasBatch |= isBatch;
      if (!isBatch) {
        member(parser, name, wanted).ifPresent(around::add);
        continue;
      }
      addElements(parser, elements);
    }
    if (!hasBatch || elements.isEmpty()) {
      add(new Members(hasBatch ? List.of() : around), found);
    }
    for (Members element : elements) {
      add(new Inside(element, new Members(around), wholes), found);
    }
  }

  private void addElements(JsonParser parser, List<Members> elements) throws IOException {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.START_ARRAY) {
        addElements(parser, elements);
      } else {
        elements.add(element(parser));
      }
    }
  }

  /** An element of a batch, whose members are those of the record, or of the batch's first name. */
  private Members element(JsonParser parser) throws IOException {
    List<Member> ofRecord = new ArrayList<>();
    List<Member> ofName = new ArrayList<>();
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return new Members(List.of());
    }
    Expected inName = wanted.members().getOrDefault(batch.get(0), new Expected());
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      if (inName.has(name)) {
        member(parser, name, inName).ifPresent(ofName::add);
      } else {
        member(parser, name, wanted).ifPresent(ofRecord::add);
      }
    }
    if (!ofName.isEmpty()) {
      ofRecord.add(new Member(batch.get(0), new Members(ofName)));
    }
    return new Members(ofRecord);
  }

  private static Members members(JsonParser parser, Expected wanted) throws IOException {
    List<Member> members = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      member(parser, name, wanted).ifPresent(members::add);
    }
    return new Members(members);
  }

  /** The member whose value starts with the current token; empty if no path leads there. */
  private static Optional<Member> member(JsonParser parser, String name, Expected wanted)
      throws IOException {
    Expected inside = wanted.members().get(name);
    boolean isArray = parser.currentToken() == JsonToken.START_ARRAY;
    if (isArray && wanted.arrays().contains(name)) {
      return Optional.of(new Member(name, numbers(parser)));
    }
    if (inside == null) {
      parser.skipChildren();
      return Optional.empty();
    }
    return isArray && wanted.pairs().containsKey(name)
        ? Optional.of(new Member(name, pairs(parser, wanted.pairs().get(name), inside)))
        : Optional.of(new Member(name, value(parser, inside)));
  }

  /**
   * The elements of an array, by their index in brackets; those that are no number are left out.
   */
  private static Members numbers(JsonParser parser) throws IOException {
    List<Member> members = new ArrayList<>();
    int index = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken().isNumeric()) {
        members.add(new Member("[" + index + "]", new Text(parser.getText(), false)));
      } else {
        parser.skipChildren();
      }
      index++;
    }
    return new Members(members);
  }

  /** A list of objects, each with a name and a value, as one object. */
  private static Members pairs(JsonParser parser, Pairs pairs, Expected wanted) throws IOException {
    List<Member> members = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        parser.skipChildren();
        continue;
      }
      Optional<String> name = Optional.empty();
      Optional<Value> value = Optional.empty();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String member = parser.currentName();
        JsonToken token = parser.nextToken();
        if (member.equals(pairs.name())) {
          name = token == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
          parser.skipChildren();
        } else if (member.equals(pairs.value())) {
          Value read = value(parser, new Expected());
          boolean isNull = read instanceof Text text && text.text().equals("null");
          value = Optional.of(isNull ? new Other(true) : read);
        } else {
          parser.skipChildren();
        }
      }
      if (name.isPresent() && value.isPresent() && wanted.members().containsKey(name.get())) {
        members.add(new Member(name.get(), value.get()));
      }
    }
    return new Members(members);
  }

  private static Value value(JsonParser parser, Expected wanted) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING, VALUE_NUMBER_INT -> new Text(parser.getText(), false);
      case VALUE_NUMBER_FLOAT -> new Text(parser.getText(), true);
      case VALUE_TRUE, VALUE_FALSE -> new Flag(parser.getBooleanValue());
      case VALUE_NULL -> new Other(true);
      default -> {
        if (parser.currentToken() == JsonToken.START_OBJECT && wanted.hasMembers()) {
          yield members(parser, wanted);
        }
        parser.skipChildren();
        yield new Other(false);
      }
    };
  }
}
