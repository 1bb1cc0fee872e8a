package io.lastfix.cli.provision;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import io.lastfix.cli.provision.ProvisionReport.Finding;
import io.lastfix.cli.provision.ProvisionReport.Status;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Makes a role as it ships, or brings it up to date, where the user may. */
final class Roles {
  // Of https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
  private static final int UNAUTHORIZED = 13;

  private final MongoClient client;
  private final boolean isDryRun;

  Roles(MongoClient client, boolean isDryRun) {
    this.client = client;
    this.isDryRun = isDryRun;
  }

  /**
   * What became of it.
   *
   * @throws com.mongodb.MongoException if the server does not answer, or refuses for another reason
   *     than a missing right
   */
  Finding ensure(Role wanted) {
    MongoDatabase database = client.getDatabase(wanted.database());
    try {
      BsonArray found = find(database, wanted);
      String command;
      if (found.isEmpty()) {
        command = "createRole";
      } else if (wanted.grantsTheSameAs(found.get(0).asDocument())) {
        return Finding.of(Status.THERE, wanted.toString());
      } else {
        command = "updateRole";
      }
      String what = command.equals("createRole") ? wanted.toString() : wanted + ", up to date";
      if (isDryRun) {
        return Finding.of(Status.WOULD_MAKE, what);
      }
      BsonDocument change = new BsonDocument(command, new BsonString(wanted.name()));
      change.putAll(wanted.rights());
      database.runCommand(change);
      return Finding.of(Status.MADE, what);
    } catch (MongoCommandException e) {
      if (e.getErrorCode() != UNAUTHORIZED) {
        throw e;
      }
      return Finding.notAllowed(
          wanted.toString(),
          "this user may not look at roles or change them: where MongoDB asks for passwords, run this as an"
              + " administrator (--mongo-uri), or config/mongodb/create-roles.js in mongosh");
    }
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
