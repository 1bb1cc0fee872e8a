package io.lastfix.analytics.timeline;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Stored documents as texts, in the form of {@link BruteForce}. */
public final class ResultTexts {
  private ResultTexts() {}

  /**
   * Returns the text of a document of density, flows, stays or trips. A withheld number is {@code
   * withheld}.
   */
  public static String text(BsonDocument document) {
    BsonDocument id = document.getDocument("_id");
    if (id.containsKey("k")) {
      return text(id.get("by"), id.get("k"), id.get("w")) + " " + number(document, "n");
    }
    if (id.containsKey("from")) {
      return text(id.get("by"), id.get("from"), id.get("to"), id.get("w"))
          + " "
          + number(document, "n")
          + "/"
          + number(document, "devices");
    }
    Stream<BsonValue> identity = Stream.of(id.get("user"), id.get("by"), id.get("begin"));
    Stream<BsonValue> rest =
        document.containsKey("k")
            ? Stream.of(document.get("k"), document.get("end"))
            : Stream.of(
                document.get("from"), document.get("to"), document.get("end"), document.get("via"));
    String text = text(Stream.concat(identity, rest).toArray(BsonValue[]::new));
    return document.containsKey("ended")
        ? text + " " + text(document.get("ended")).toUpperCase(Locale.ROOT)
        : text;
  }

  private static String number(BsonDocument document, String name) {
    return document.containsKey("withheld") ? "withheld" : plain(document.get(name));
  }

  private static String text(BsonValue... values) {
    return Stream.of(values).map(ResultTexts::plain).collect(Collectors.joining(" "));
  }

  private static String plain(BsonValue value) {
    return value.isString()
        ? value.asString().getValue()
        : Long.toString(
            value.isDateTime() ? value.asDateTime().getValue() : value.asInt32().getValue());
  }
}
