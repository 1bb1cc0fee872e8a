package io.lastfix.audit.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.lastfix.audit.tree.TreeValue.Kind;
import io.lastfix.audit.tree.TreeValue.Leaf;
import io.lastfix.audit.tree.TreeValue.Member;
import io.lastfix.audit.tree.TreeValue.Members;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.profile.FieldPath;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.Profile.Pairs;
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

  /**
   * A record of a batch. It has what surrounds the batch where it has nothing itself.
   *
   * @param own of the element
   * @param around of the object with the array
   * @param wholes the paths of which it has all or nothing from around
   */
  private record Inside(Members own, Members around, List<Set<FieldPath>> wholes)
      implements RecordTree {
    @Override
    public TreeValue start(FieldPath path) {
      return Stream.concat(
                  Stream.of(path),
                  wholes.stream().filter(whole -> whole.contains(path)).flatMap(Set::stream))
              .anyMatch(this::isOwn)
          ? own
          : around;
    }

    private boolean isOwn(FieldPath path) {
      return own.at(path).stream()
          .anyMatch(value -> !(value instanceof Leaf leaf && leaf.isBlank()));
    }
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
        members.add(new Member("[" + index + "]", new Leaf(Kind.TEXT, parser.getText())));
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
      Optional<TreeValue> value = Optional.empty();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String member = parser.currentName();
        JsonToken token = parser.nextToken();
        if (member.equals(pairs.name())) {
          name = token == JsonToken.VALUE_STRING ? Optional.of(parser.getText()) : Optional.empty();
          parser.skipChildren();
        } else if (member.equals(pairs.value())) {
          TreeValue read = value(parser, new Expected());
          value = Optional.of(read.content(null).equals("null") ? Leaf.NULL : read);
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

  private static TreeValue value(JsonParser parser, Expected wanted) throws IOException {
    return switch (parser.currentToken()) {
      case VALUE_STRING, VALUE_NUMBER_INT -> new Leaf(Kind.TEXT, parser.getText());
      case VALUE_NUMBER_FLOAT -> new Leaf(Kind.FRACTION, parser.getText());
      case VALUE_TRUE, VALUE_FALSE -> new Leaf(Kind.FLAG, parser.getText());
      case VALUE_NULL -> Leaf.NULL;
      default -> {
        if (parser.currentToken() == JsonToken.START_OBJECT && wanted.hasMembers()) {
          yield members(parser, wanted);
        }
        parser.skipChildren();
        yield Leaf.OTHER;
      }
    };
  }
}
