package io.lastfix.store.provision;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
public record Role(String database, String name, BsonDocument rights) {
  private static final String SHIPPED = "/mongodb/roles.json";

  // What databases and collections are called there.
  private static final String SHIPPED_DATABASE = "lastfix";
  private static final String SHIPPED_LAST_KNOWN_LOCATION = "last_known_location";
  private static final String SHIPPED_VIEW = "history";
  private static final String SHIPPED_FORGOTTEN = "forgotten";
  private static final String SHIPPED_FORGOTTEN_AUDIT = "forgotten_audit";

  /**
   * What a configuration calls what roles are about.
   *
   * @param view over History; empty: there is none
   * @param forgotten the list of the forgotten
   * @param forgottenAudit the collection that says who was forgotten when
   */
  public record Names(
      String database,
      String lastKnownLocation,
      String view,
      String forgotten,
      String forgottenAudit) {}

  /** A role that ships, for a database and collections by other names. */
  public static Role shipped(String name, Names names) {
    return shipped()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no role " + name + " ships"))
        .with(
            Map.of(
                SHIPPED_DATABASE,
                names.database(),
                SHIPPED_LAST_KNOWN_LOCATION,
                names.lastKnownLocation(),
                SHIPPED_VIEW,
                // To MongoDB an empty name means every collection.
                names.view().isEmpty() ? SHIPPED_VIEW : names.view(),
                SHIPPED_FORGOTTEN,
                names.forgotten(),
                SHIPPED_FORGOTTEN_AUDIT,
                names.forgottenAudit()));
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

  /**
   * What an answer to {@code rolesInfo} lacks of this. What it has beside this is its owner's
   * business.
   */
  public Lack lackOf(BsonDocument found) {
    SortedMap<String, SortedSet<String>> has = privileges(found);
    BsonArray privileges = new BsonArray();
    privileges(rights)
        .forEach(
            (resource, wanted) -> {
              SortedSet<String> actions = new TreeSet<>(wanted);
              actions.removeAll(has.getOrDefault(resource, new TreeSet<>()));
              if (!actions.isEmpty()) {
                privileges.add(
                    new BsonDocument("resource", BsonDocument.parse(resource))
                        .append(
                            "actions",
                            new BsonArray(actions.stream().map(BsonString::new).toList())));
              }
            });
    SortedSet<String> roles = inherited(rights);
    roles.removeAll(inherited(found));
    return new Lack(privileges, new BsonArray(roles.stream().map(BsonDocument::parse).toList()));
  }

  /**
   * Rights that a role does not have.
   *
   * @param privileges as {@code grantPrivilegesToRole} takes them
   * @param roles it should inherit, as {@code grantRolesToRole} takes them
   */
  public record Lack(BsonArray privileges, BsonArray roles) {
    public boolean isNothing() {
      return privileges.isEmpty() && roles.isEmpty();
    }

    /** For a person: {@code find, insert on {"db": "lastfix", "collection": ""}}. */
    @Override
    public String toString() {
      Stream<String> granted =
          privileges.stream()
              .map(BsonValue::asDocument)
              .map(
                  privilege ->
                      "%s on %s"
                          .formatted(
                              privilege.getArray("actions").stream()
                                  .map(action -> action.asString().getValue())
                                  .collect(Collectors.joining(", ")),
                              privilege.getDocument("resource").toJson()));
      Stream<String> inherited =
          roles.stream().map(role -> "the role " + role.asDocument().toJson());
      return Stream.concat(granted, inherited).collect(Collectors.joining("; "));
    }
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
