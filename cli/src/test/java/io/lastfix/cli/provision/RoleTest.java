package io.lastfix.cli.provision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The roles of config/mongodb/roles.json, for another database, and against the server's answer.
 */
class RoleTest {
  private static final String NAME = "lastfixRebuild";

  private static Role shipped(String name) {
    return Role.shipped(name, new Role.Names("fleet", "newest", "track", "erased", "erased_log"));
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
    return Role.shipped(
            "lastfixJob", new Role.Names("fleet", "newest", view, "erased", "erased_log"))
        .rights()
        .getArray("privileges")
        .stream()
        .map(BsonValue::asDocument)
        .filter(privilege -> privilege.getArray("actions").contains(new BsonString("collMod")))
        .map(privilege -> privilege.getDocument("resource").getString("collection").getValue())
        .reduce("", String::concat);
  }

  @Test
  void aRoleThatDoesNotShipIsABug() {
    assertThatThrownBy(() -> shipped("root")).hasMessage("no role root ships");
  }

  @Test
  void theOrderOfPrivilegesAndActionsMakesNoDifference() {
    BsonDocument found = rebuild().rights().clone();
    BsonArray privileges = found.getArray("privileges");
    privileges.add(privileges.remove(0));
    BsonArray actions = privileges.get(0).asDocument().getArray("actions");
    actions.add(actions.remove(0));
    // What the server's answer has beside these.
    found.append("role", BsonDocument.parse("{a: 1}")).append("inheritedRoles", new BsonArray());

    assertThat(rebuild().grantsTheSameAs(found)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{privileges: [], roles: []}",
        "{privileges: [{resource: {db: 'fleet', collection: ''}, actions: ['find']}], roles: []}"
      })
  void fewerRightsAreADifference(String found) {
    assertThat(rebuild().grantsTheSameAs(BsonDocument.parse(found))).isFalse();
  }

  @Test
  void anInheritedRoleIsADifference() {
    BsonDocument found = rebuild().rights().clone();
    found.put("roles", BsonArray.parse("[{role: 'readWrite', db: 'fleet'}]"));

    assertThat(rebuild().grantsTheSameAs(found)).isFalse();
  }
}
