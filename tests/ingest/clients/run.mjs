// Clients as they are installed, against a real server: what they send arrives, each row once.
//
//     node run.mjs PART LOGQUERY PACKAGES WORK      PART: npm, syslog_ng or studio
//
// PACKAGES is the node_modules of package.json beside this file. Exits with 1 if a check fails, and with 77, saying so, if the
// client is not installed.
import path from 'node:path';
import { Server } from './server.mjs';

const parts = { npm: './npm_clients.mjs', syslog_ng: './syslog_ng.mjs', studio: './studio.mjs' };

const part = process.argv[2];
const [program, packages, work] = process.argv.slice(3, 6).map((text) => path.resolve(text));
const { isMissing, args = [], checks } = await import(parts[part]);

const missing = isMissing(packages);
if (missing) {
  console.log(`${part}: skipped: ${missing}; scripts/bootstrap clients installs it`);
  process.exit(77);
}
let failed = 0;
const server = await Server.start(program, work, ...args);
try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(server, packages);
      console.log(`${part}: ${name}: ok`);
    } catch (error) {
      failed += 1;
      console.log(`${part}: ${name}: FAILED\n${error.stack}`);
    }
  }
} finally {
  await server.stop();
}
process.exit(failed === 0 ? 0 : 1);
