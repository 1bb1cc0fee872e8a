package io.lastfix.cli.audit.tree;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.lastfix.parse.FieldPath;
import io.lastfix.parse.Profile;
import io.lastfix.parse.Profile.TypeChoice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON into a small tree of its own: Jackson's keeps one of several members of a name, and
 * not how a number was written.
 */
final class JsonTreeReader extends TreeReader {
  private final List<String> pathToRecords;
  private final JsonFactory factory;

  JsonTreeReader(Profile profile, int maxContentBytes, int maxDepth) {
    super(profile, maxContentBytes);
    pathToRecords = profile.record();
    factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(maxDepth)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();
  }

  /** A value. */
  private sealed interface Value {}

  /** A text, or a number as it was written. */
  private record Text(String text) implements Value {}

  /** What no field can be: null, true or false. */
  private record Other() implements Value {}

  private record Items(List<Value> values) implements Value {}

  private record Member(String name, Value value) {}

  private record Members(List<Member> members) implements Value, RecordTree {
    @Override
    public Optional<String> text(FieldPath path, @Nullable TypeChoice choice) {
      List<Value> values = List.of(this);
      for (String name : path.elements()) {
        values = values.stream().flatMap(value -> named(value, name).stream()).toList();
      }
      return values.stream()
          .filter(Text.class::isInstance)
          .map(value -> ((Text) value).text().trim())
          .filter(text -> !text.isEmpty())
          .findFirst();
    }
  }

  /** The members of that name; none where the value is no object. */
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
        collect(value(parser), 0, found);
      }
    } catch (IOException | RuntimeException e) {
      // Any RuntimeException too: Jackson throws some on bytes in no encoding. Not its message,
      // which quotes the payload.
      throw new UnreadableException("not well-formed JSON", e);
    }
    return found;
  }

  private static Value value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        List<Member> members = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          members.add(new Member(name, value(parser)));
        }
        yield new Members(members);
      }
      case START_ARRAY -> {
        List<Value> values = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          values.add(value(parser));
        }
        yield new Items(values);
      }
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Text(parser.getText());
      default -> new Other();
    };
  }

  private void collect(Value value, int step, List<RecordTree> found) {
    if (value instanceof Items items) {
      items.values().forEach(item -> collect(item, step, found));
    } else if (step < pathToRecords.size()) {
      named(value, pathToRecords.get(step)).forEach(inner -> collect(inner, step + 1, found));
    } else {
      found.add(value instanceof Members object ? object : new Members(List.of()));
    }
  }
}
