package io.lastfix.gateway.signature;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the part of RFC 8941 that signatures need, in its canonical form only: one blank between
 * components, none around parameters. What is signed is the canonical form, so a client that writes
 * another one has signed something else, and is better told so than refused for a wrong signature.
 */
final class FieldParser {
  private static final int MAX_LENGTH = 4_096;
  private static final int MAX_COMPONENTS = 32;
  private static final int MAX_PARAMETERS = 16;

  /** RFC 8941 section 3.3.1. */
  private static final int MAX_DIGITS = 15;

  private final String field;
  private final String text;
  private int at;

  /**
   * A parser of one header.
   *
   * @param field the header's name, for messages
   * @param text its value, printable ASCII
   */
  FieldParser(String field, String text) throws SignatureRefusedException {
    this.field = field;
    this.text = text;
    if (text.length() > MAX_LENGTH) {
      throw malformed("at most %d characters".formatted(MAX_LENGTH));
    }
  }

  /** Reads {@code label=("a" "b");created=1;keyid="k"}. */
  SignatureInput signatureInput() throws SignatureRefusedException {
    String label = key();
    expect("=");
    expect("(");
    List<String> components = new ArrayList<>();
    while (!next(")")) {
      if (!components.isEmpty()) {
        expect(" ");
      }
      String component = string();
      if (has(";")) {
        throw new SignatureRefusedException(
            RefusalReason.UNSUPPORTED_COMPONENT,
            "%s: components with parameters are not supported: cover each without any"
                .formatted(field));
      }
      if (components.contains(component)) {
        throw new SignatureRefusedException(
            RefusalReason.REPEATED_COMPONENT,
            "%s covers a component twice: cover each once".formatted(field));
      }
      components.add(component);
      if (components.size() > MAX_COMPONENTS) {
        throw malformed("at most %d components".formatted(MAX_COMPONENTS));
      }
    }
    Map<String, Object> parameters = new LinkedHashMap<>();
    while (next(";")) {
      String name = key();
      expect("=");
      Object value = has("\"") ? string() : number();
      if (parameters.put(name, value) != null) {
        throw new SignatureRefusedException(
            RefusalReason.UNSUPPORTED_PARAMETER,
            "%s has the parameter %s twice: send it once".formatted(field, name));
      }
      if (parameters.size() > MAX_PARAMETERS) {
        throw malformed("at most %d parameters".formatted(MAX_PARAMETERS));
      }
    }
    requireOneMember();
    return new SignatureInput(label, components, parameters);
  }

  /** Reads {@code label=:base64:}. */
  Map.Entry<String, byte[]> signature() throws SignatureRefusedException {
    String label = key();
    expect("=");
    byte[] bytes = bytes();
    requireOneMember();
    return Map.entry(label, bytes);
  }

  /** Reads {@code sha-256=:base64:, sha-512=:base64:}. */
  Map<String, byte[]> digests() throws SignatureRefusedException {
    Map<String, byte[]> digests = new LinkedHashMap<>();
    do {
      String name = key();
      expect("=");
      if (digests.put(name, bytes()) != null) {
        throw malformed("each algorithm once");
      }
    } while (next(", "));
    requireEnd();
    return digests;
  }

  private void requireOneMember() throws SignatureRefusedException {
    if (has(",")) {
      throw new SignatureRefusedException(
          RefusalReason.SEVERAL_SIGNATURES,
          "%s has more than one member: send one signature".formatted(field));
    }
    requireEnd();
  }

  private void requireEnd() throws SignatureRefusedException {
    if (at < text.length()) {
      throw malformed("the end");
    }
  }

  /** A name: a lower-case letter or an asterisk, then also digits, underscore, dash and dot. */
  private String key() throws SignatureRefusedException {
    int begin = at;
    while (at < text.length() && isKeyCharacter(text.charAt(at), at == begin)) {
      at++;
    }
    if (at == begin) {
      throw malformed("a name in lower case");
    }
    return text.substring(begin, at);
  }

  private static boolean isKeyCharacter(char c, boolean first) {
    return (c >= 'a' && c <= 'z')
        || c == '*'
        || (!first && ((c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'));
  }

  private String string() throws SignatureRefusedException {
    expect("\"");
    StringBuilder value = new StringBuilder();
    while (!next("\"")) {
      if (next("\\") && !has("\"") && !has("\\")) {
        throw malformed("a quote or a backslash after a backslash");
      }
      if (at >= text.length()) {
        throw malformed("a closing quote");
      }
      value.append(text.charAt(at++));
    }
    return value.toString();
  }

  private Long number() throws SignatureRefusedException {
    int begin = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    int digits = at - begin;
    if (digits == 0 || digits > MAX_DIGITS || (digits > 1 && text.charAt(begin) == '0')) {
      at = begin;
      throw malformed("a quoted string, or a whole number without leading zeros");
    }
    return Long.valueOf(text.substring(begin, at));
  }

  private byte[] bytes() throws SignatureRefusedException {
    expect(":");
    int begin = at;
    int end = text.indexOf(':', at);
    if (end < 0) {
      throw malformed("base64 between two colons");
    }
    String base64 = text.substring(begin, end);
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw malformed("base64 between two colons");
    }
    // The decoder also takes text without padding, and ignores unused bits.
    if (!Base64.getEncoder().encodeToString(bytes).equals(base64)) {
      throw malformed("base64 with padding, its unused bits zero");
    }
    at = end + 1;
    return bytes;
  }

  private boolean has(String expected) {
    return text.startsWith(expected, at);
  }

  private boolean next(String expected) {
    boolean found = has(expected);
    if (found) {
      at += expected.length();
    }
    return found;
  }

  private void expect(String expected) throws SignatureRefusedException {
    if (!next(expected)) {
      throw malformed(expected.equals(" ") ? "one blank" : "'" + expected + "'");
    }
  }

  private SignatureRefusedException malformed(String expected) {
    return new SignatureRefusedException(
        RefusalReason.MALFORMED,
        "%s: expected %s at index %d, in the canonical form of RFC 8941"
            .formatted(field, expected, at));
  }
}
