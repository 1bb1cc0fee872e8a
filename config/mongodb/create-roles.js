// Creates the roles of roles.json as they stand there, or brings them up to date. As a user who may do so:
//
//   mongosh "mongodb://admin@db.example:27017/?tls=true&tlsCAFile=ca.pem" config/mongodb/create-roles.js
const fs = require('fs');
const path = require('path');

const file = path.join(__dirname, 'roles.json');
for (const { db: database, role, ...rights } of JSON.parse(fs.readFileSync(file, 'utf8'))) {
  const target = db.getSiblingDB(database);
  const command = target.getRole(role) ? 'updateRole' : 'createRole';
  const answer = target.runCommand({ [command]: role, ...rights });
  if (answer.ok !== 1) {
    throw new Error(`${command} ${database}.${role}: ${answer.errmsg}`);
  }
  print(`${command} ${database}.${role}: done`);
}
