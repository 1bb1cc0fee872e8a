package io.lastfix.gateway.devices;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.kit.digest.Sha256;
import java.nio.charset.StandardCharsets;

/**
 * What a class of devices can do, as the devices describe it. The text has its members sorted and
 * no blanks, and numbers no trailing zeros, so that devices which write the same in another way
 * share one manifest.
 *
 * @param hash SHA-256 of the text, hexadecimal
 * @param json the text
 */
public record Manifest(String hash, String json) {
  private static final ObjectMapper SORTED =
      new ObjectMapper()
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  /** The manifest of an object. */
  static Manifest of(ObjectNode object) {
    try {
      // A tree keeps the order of the text; a map is written in the order of its keys.
      Object map = SORTED.treeToValue((JsonNode) object, Object.class);
      String json = SORTED.writeValueAsString(map);
      return new Manifest(Sha256.hex(json), json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A tree of JSON can be written", e);
    }
  }

  int bytes() {
    return json.getBytes(StandardCharsets.UTF_8).length;
  }
}
