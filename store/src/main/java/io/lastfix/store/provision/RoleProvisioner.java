package io.lastfix.store.provision;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.store.connect.MongoAccessException;
import io.lastfix.store.provision.ProvisionReport.Finding;
import io.lastfix.store.provision.ProvisionReport.Status;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Creates a role as shipped, or adds its missing rights, if the user may.
 *
 * @param client closed by the caller
 * @param isDryRun change nothing
 */
public record RoleProvisioner(MongoClient client, boolean isDryRun) {
  /**
   * Creates or completes the role, and returns the result. If the user lacks a right, that is the
   * result.
   *
   * @throws com.mongodb.MongoException if the server does not answer, or refuses for another reason
   *     than a missing right
   */
  public Finding ensure(Role wanted) {
    MongoDatabase database = client.getDatabase(wanted.database());
    try {
      BsonArray found = find(database, wanted);
      if (found.isEmpty()) {
        BsonDocument create = new BsonDocument("createRole", new BsonString(wanted.name()));
        create.putAll(wanted.rights());
        return done(wanted.toString(), database, List.of(create));
      }
      Role.MissingRights lack = wanted.lackOf(found.get(0).asDocument());
      if (lack.isNothing()) {
        return Finding.of(Status.THERE, wanted.toString());
      }
      return done(
          "%s, with the additional %s".formatted(wanted, lack), database, grants(wanted, lack));
    } catch (MongoCommandException e) {
      if (!MongoAccessException.isUnauthorized(e)) {
        throw e;
      }
      return Finding.notAllowed(
          wanted.toString(),
          "this user may not inspect or change roles: if MongoDB requires passwords, run this as"
              + " an administrator (--mongo-uri), or run config/mongodb/create-roles.js in"
              + " mongosh");
    }
  }

  private Finding done(String what, MongoDatabase database, List<BsonDocument> commands) {
    if (isDryRun) {
      return Finding.of(Status.WOULD_MAKE, what);
    }
    commands.forEach(database::runCommand);
    return Finding.of(Status.MADE, what);
  }

  /** The role's owner may have granted more rights: none is revoked. */
  private static List<BsonDocument> grants(Role wanted, Role.MissingRights lack) {
    List<BsonDocument> grants = new ArrayList<>();
    if (!lack.privileges().isEmpty()) {
      grants.add(
          new BsonDocument("grantPrivilegesToRole", new BsonString(wanted.name()))
              .append("privileges", lack.privileges()));
    }
    if (!lack.roles().isEmpty()) {
      grants.add(
          new BsonDocument("grantRolesToRole", new BsonString(wanted.name()))
              .append("roles", lack.roles()));
    }
    return grants;
  }

  private static BsonArray find(MongoDatabase database, Role wanted) {
    BsonDocument role =
        new BsonDocument("role", new BsonString(wanted.name()))
            .append("db", new BsonString(wanted.database()));
    return database
        .runCommand(
            new BsonDocument("rolesInfo", role).append("showPrivileges", BsonBoolean.TRUE),
            BsonDocument.class)
        .getArray("roles");
  }
}
