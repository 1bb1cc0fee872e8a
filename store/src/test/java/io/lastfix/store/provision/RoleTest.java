package io.lastfix.store.provision;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/**
 * The roles of config/mongodb/roles.json for another database, compared with the server's answer.
 */
class RoleTest {
  private static final String NAME = "lastfixRebuild";

  private static Role shipped(String name) {
    return shipped(name, "track");
  }

  private static Role shipped(String name, String view) {
    return Role.shipped(new Role.Names("fleet", "newest", view, "seen", "erased", "erased_log"))
        .stream()
        .filter(role -> role.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Role rebuild() {
    return shipped(NAME);
  }

  @Test
  void databaseAndCollectionTakeTheConfigurationsNames() {
    assertThat(rebuild().database()).isEqualTo("fleet");
    assertThat(rebuild().rights().toJson())
        .contains("\"collection\": \"newest\"")
        .contains("\"db\": \"fleet\"")
        .doesNotContain("\"lastfix\"")
        .doesNotContain("last_known_location");
  }

  @Test
  void theListOfTheForgottenTakesTheConfigurationsNameToo() {
    assertThat(shipped("lastfixForget").rights().toJson())
        .contains("\"collection\": \"erased\"", "\"collection\": \"erased_log\"")
        .doesNotContain("forgotten");
    assertThat(shipped("lastfixJob").rights().toJson())
        .contains(
            "{\"resource\": {\"db\": \"fleet\", \"collection\": \"erased\"}, \"actions\": [\"find\"]}");
  }

  @Test
  void theRoleForARoutersMetadataStaysInItsOwnDatabase() {
    Role sharding = shipped("lastfixSharding");

    assertThat(sharding.database()).isEqualTo("admin");
    assertThat(sharding.rights().toJson()).contains("\"db\": \"config\"");
  }

  @Test
  void theJobMayChangeTheViewByItsNameAndNothingElse() {
    assertThat(changeable("track")).isEqualTo("track");
    assertThat(changeable("")).as("an empty name would be every collection").isEqualTo("history");
  }

  private static String changeable(String view) {
    return shipped("lastfixJob", view).rights().getArray("privileges").stream()
        .map(BsonValue::asDocument)
        .filter(privilege -> privilege.getArray("actions").contains(new BsonString("collMod")))
        .map(privilege -> privilege.getDocument("resource").getString("collection").getValue())
        .reduce("", String::concat);
  }

  @Test
  void theJobMayDeleteForgottenDevicesAndNothingElse() {
    assertThat(shipped("lastfixJob").rights().getArray("privileges"))
        .filteredOn(
            privilege ->
                privilege.asDocument().getArray("actions").contains(new BsonString("remove")))
        .extracting(privilege -> privilege.asDocument().getDocument("resource"))
        .containsExactly(BsonDocument.parse("{db: 'fleet', collection: 'seen'}"));
  }

  @Test
  void theOrderOfPrivilegesAndActionsMakesNoDifference() {
    BsonDocument found = rebuild().rights().clone();
    BsonArray privileges = found.getArray("privileges");
    privileges.add(privileges.remove(0));
    BsonArray actions = privileges.get(0).asDocument().getArray("actions");
    actions.add(actions.remove(0));
    // Members that the server's answer has besides these.
    found.append("role", BsonDocument.parse("{a: 1}")).append("inheritedRoles", new BsonArray());

    assertThat(rebuild().lackOf(found).isNothing()).isTrue();
  }

  @Test
  void aRoleWithoutRightsLacksAllOfThem() {
    Role.MissingRights lack = rebuild().lackOf(BsonDocument.parse("{privileges: [], roles: []}"));

    assertThat(rebuild().lackOf(rights(lack)).isNothing()).isTrue();
  }

  @Test
  void onlyTheActionsThatAreMissingAreAdded() {
    BsonDocument found = rebuild().rights().clone();
    BsonDocument privilege = found.getArray("privileges").get(0).asDocument();
    String taken = privilege.getArray("actions").remove(0).asString().getValue();

    Role.MissingRights lack = rebuild().lackOf(found);

    assertThat(lack)
        .hasToString("%s on %s".formatted(taken, privilege.getDocument("resource").toJson()));
    assertThat(lack.privileges())
        .singleElement()
        .satisfies(
            added ->
                assertThat(added.asDocument().getArray("actions"))
                    .containsExactly(new BsonString(taken)));
    assertThat(lack.roles()).isEmpty();
  }

  @Test
  void whatARoleHasBesideIsLeftToIt() {
    BsonDocument found = rebuild().rights().clone();
    found.put("roles", BsonArray.parse("[{role: 'readWrite', db: 'fleet'}]"));
    found
        .getArray("privileges")
        .add(
            BsonDocument.parse(
                "{resource: {db: 'fleet', collection: 'mine'}, actions: ['remove']}"));

    assertThat(rebuild().lackOf(found).isNothing()).isTrue();
  }

  @Test
  void anInheritedRoleThatIsMissingIsAdded() {
    Role wanted =
        new Role(
            "fleet",
            "x",
            BsonDocument.parse("{privileges: [], roles: [{role: 'read', db: 'fleet'}]}"));

    assertThat(wanted.lackOf(BsonDocument.parse("{privileges: [], roles: []}")))
        .hasToString("the role {\"role\": \"read\", \"db\": \"fleet\"}");
  }

  private static BsonDocument rights(Role.MissingRights lack) {
    return new BsonDocument("privileges", lack.privileges()).append("roles", lack.roles());
  }
}
