package io.lastfix.store.provision;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
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
 * A role of MongoDB, as in {@code config/mongodb/roles.json}.
 *
 * @param database database that defines it
 * @param rights its privileges and inherited roles, in the commands' format
 */
public record Role(String database, String name, BsonDocument rights) {
  private static final String SHIPPED = "/mongodb/roles.json";

  /**
   * The configured names of the database and collections that the roles refer to.
   *
   * @param view view over History; empty: none
   * @param devices the collection of devices
   * @param erasureList the erasure list
   * @param erasureAudit the audit collection of erasures
   */
  public record Names(
      String database,
      String lastKnownLocation,
      String view,
      String devices,
      String erasureList,
      String erasureAudit) {
    /** Returns the configured name instead of one in the shipped file. */
    private String of(String shipped) {
      return switch (shipped) {
        case "lastfix" -> database;
        case "last_known_location" -> lastKnownLocation;
        // To MongoDB an empty name means every collection.
        case "history" -> view.isEmpty() ? shipped : view;
        case "devices" -> devices;
        case "forgotten" -> erasureList;
        case "forgotten_audit" -> erasureAudit;
        default -> shipped;
      };
    }
  }

  /** Returns the shipped roles for the configured database and collections. */
  public static List<Role> shipped(Names names) {
    return shipped().map(role -> role.with(names)).toList();
  }

  private static Stream<Role> shipped() {
    try (InputStream file = Role.class.getResourceAsStream(SHIPPED)) {
      if (file == null) {
        throw new IllegalStateException(
            SHIPPED + " is not on the class path: build the module store again");
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

  private Role with(Names names) {
    BsonArray privileges = new BsonArray();
    for (BsonValue privilege : rights.getArray("privileges")) {
      BsonDocument resource = new BsonDocument();
      privilege
          .asDocument()
          .getDocument("resource")
          .forEach(
              (part, name) ->
                  resource.append(part, new BsonString(names.of(name.asString().getValue()))));
      privileges.add(
          new BsonDocument("resource", resource)
              .append("actions", privilege.asDocument().getArray("actions")));
    }
    return new Role(
        names.of(database),
        name,
        new BsonDocument("privileges", privileges).append("roles", rights.getArray("roles")));
  }

  /**
   * Returns the rights that an answer of {@code rolesInfo} lacks compared with this role.
   * Additional rights are ignored.
   */
  public MissingRights lackOf(BsonDocument found) {
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
    return new MissingRights(
        privileges, new BsonArray(roles.stream().map(BsonDocument::parse).toList()));
  }

  /**
   * Rights that a role lacks.
   *
   * @param privileges in the format of {@code grantPrivilegesToRole}
   * @param roles roles it should inherit, in the format of {@code grantRolesToRole}
   */
  public record MissingRights(BsonArray privileges, BsonArray roles) {
    public boolean isNothing() {
      return privileges.isEmpty() && roles.isEmpty();
    }

    /** Returns a text for the user: {@code find, insert on {"db": "lastfix", "collection": ""}}. */
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

  @Override
  public String toString() {
    return "role %s in database %s".formatted(name, database);
  }
}
