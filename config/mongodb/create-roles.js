// Creates the roles of roles.json, or brings them up to date. As a user who may do so:
//
//   mongosh "mongodb://admin@db.example:27017/?tls=true&tlsCAFile=ca.pem" config/mongodb/create-roles.js
//
// LASTFIX_DATABASE names the database, LASTFIX_LKL the collection of last known locations, where
// they are not called lastfix and last_known_location.
const fs = require('fs');
const path = require('path');

const database = process.env.LASTFIX_DATABASE || 'lastfix';
const lastKnownLocation = process.env.LASTFIX_LKL || 'last_known_location';
const roles = JSON.parse(fs.readFileSync(path.join(__dirname, 'roles.json'), 'utf8'));
const target = db.getSiblingDB(database);

for (const role of roles) {
  const privileges = role.privileges.map(({ resource, actions }) => ({
    resource: { db: database, collection: resource.collection && lastKnownLocation },
    actions,
  }));
  if (target.getRole(role.role)) {
    target.updateRole(role.role, { privileges, roles: [] });
    print(`updated ${role.role} in ${database}`);
  } else {
    target.createRole({ role: role.role, privileges, roles: [] });
    print(`created ${role.role} in ${database}`);
  }
}
