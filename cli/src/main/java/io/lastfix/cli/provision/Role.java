package io.lastfix.cli.provision;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A role of MongoDB, as {@code config/mongodb/roles.json} has it.
 *
 * @param database where it is defined
 * @param rights its privileges and the roles it inherits, as the commands take them
 */
record Role(String database, String name, BsonDocument rights) {
  private static final String SHIPPED = "/mongodb/roles.json";

  // What databases and collections are called there.
  private static final String SHIPPED_DATABASE = "lastfix";
  private static final String SHIPPED_COLLECTION = "last_known_location";
  private static final String SHIPPED_FORGOTTEN = "forgotten";
  private static final String SHIPPED_FORGOTTEN_AUDIT = "forgotten_audit";

  /**
   * A role that ships, for a database and collections by other names.
   *
   * @param lastKnownLocation that collection's name
   * @param forgotten the name of the list of the forgotten
   * @param forgottenAudit the name of the collection that says who was forgotten when
   */
  static Role shipped(
      String name,
      String database,
      String lastKnownLocation,
      String forgotten,
      String forgottenAudit) {
    return shipped()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no role " + name + " ships"))
        .with(
            Map.of(
                SHIPPED_DATABASE,
                database,
                SHIPPED_COLLECTION,
                lastKnownLocation,
                SHIPPED_FORGOTTEN,
                forgotten,
                SHIPPED_FORGOTTEN_AUDIT,
                forgottenAudit));
  }

  private static Stream<Role> shipped() {
    try (InputStream file = Role.class.getResourceAsStream(SHIPPED)) {
      if (file == null) {
        throw new IllegalStateException(SHIPPED + " is not on the class path: build cli again");
      }
      return BsonArray.parse(new String(file.readAllBytes(), UTF_8)).stream()
          .map(BsonValue::asDocument)
          .map(
              role ->
                  new Role(
                      role.getString("db").getValue(),
                      role.getString("role").getValue(),
                      new BsonDocument("privileges", role.getArray("privileges"))
                          .append("roles", role.getArray("roles"))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Role with(Map<String, String> names) {
    BsonArray privileges = new BsonArray();
    for (BsonValue privilege : rights.getArray("privileges")) {
      BsonDocument resource = new BsonDocument();
      privilege
          .asDocument()
          .getDocument("resource")
          .forEach(
              (part, name) ->
                  resource.append(
                      part, new BsonString(renamed(name.asString().getValue(), names))));
      privileges.add(
          new BsonDocument("resource", resource)
              .append("actions", privilege.asDocument().getArray("actions")));
    }
    return new Role(
        renamed(database, names),
        name,
        new BsonDocument("privileges", privileges).append("roles", rights.getArray("roles")));
  }

  private static String renamed(String name, Map<String, String> names) {
    return names.getOrDefault(name, name);
  }

  /** Whether an answer to {@code rolesInfo} grants the same, in whatever order. */
  boolean grantsTheSameAs(BsonDocument found) {
    return privileges(rights).equals(privileges(found))
        && inherited(rights).equals(inherited(found));
  }

  private static SortedMap<String, SortedSet<String>> privileges(BsonDocument rights) {
    SortedMap<String, SortedSet<String>> actions = new TreeMap<>();
    for (BsonValue privilege : rights.getArray("privileges")) {
      privilege
          .asDocument()
          .getArray("actions")
          .forEach(
              action ->
                  actions
                      .computeIfAbsent(
                          privilege.asDocument().getDocument("resource").toJson(),
                          absent -> new TreeSet<>())
                      .add(action.asString().getValue()));
    }
    return actions;
  }

  private static SortedSet<String> inherited(BsonDocument rights) {
    SortedSet<String> roles = new TreeSet<>();
    rights.getArray("roles").forEach(role -> roles.add(role.asDocument().toJson()));
    return roles;
  }

  /** For a person. */
  @Override
  public String toString() {
    return "role %s in database %s".formatted(name, database);
  }
}
