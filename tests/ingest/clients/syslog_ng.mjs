// syslog-ng's http() destination, configured as examples/collectors shows it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProgram } from '../../browser/webdriver.mjs';
import { startRecordingProxy } from './recording_proxy.mjs';

const examples = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../examples/collectors');

export function isMissing() {
  try {
    const said = execFileSync('syslog-ng', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    return /Available-Modules:.*\bhttp\b/.test(said) ? '' : 'syslog-ng has no module http';
  } catch (error) {
    return error.code === 'ENOENT' ? 'there is no syslog-ng' : `syslog-ng --version: ${error.message}`;
  }
}

export const args = ['--endpoints', path.join(examples, 'endpoints')];

// syslog-ng with the example's destination, reading a file of lines.
async function startSyslogNg(work, url, token) {
  const configuration = path.join(work, 'syslog-ng.conf');
  writeFileSync(configuration, `@version: 3.35
@include "${path.join(examples, 'syslog-ng.conf')}"
options { keep-hostname(yes); };
source s_lines { file("${path.join(work, 'lines.log')}" follow-freq(0.1) flags(syslog-protocol)); };
log { source(s_lines); destination(d_logquery); };
`);
  const options = ['-F', '--no-caps', '-f', configuration, '-R', path.join(work, 'persist'), '-c', path.join(work, 'control'), '-p', path.join(work, 'pid'), '-e', '-v'];
  return startProgram('syslog-ng', options, /syslog-ng starting up/, { cwd: work, env: { ...process.env, LOGQUERY_URL: url, LOGQUERY_TOKEN: token } });
}

export const checks = {
  'lines arrive once, with their fields, also those that had to wait': async (server) => {
    const count = 1_200;
    // A second's worth of rows is fewer than a batch: the next batch gets a 429 and is sent again.
    const token = server.token('--project', 'abc', '--may-ingest', 'syslog_logs', '--no-endpoints', '--ingest-rows-per-second', '400');
    const lines = [];
    for (let i = 0; i < count; i += 1) lines.push(`<38>1 2026-01-15T08:00:00.250Z db1 sshd ${i} - - session ${i} "opened" \\ é\n`);
    lines.push('<11>1 2026-01-15T08:00:01Z db1 kernel - - - no process\n');
    writeFileSync(path.join(server.work, 'lines.log'), lines.join(''));
    const proxy = await startRecordingProxy(server.url);
    const syslogNg = await startSyslogNg(server.work, proxy.url, token);
    try {
      const rows = await server.rowsWhen(count + 1, 'select count(*) as n from syslog', (found) => found[0].n);
      assert.deepEqual(rows, [{ n: count + 1 }]);
    } finally {
      await syslogNg.stop();
      await proxy.stop();
    }
    assert.deepEqual(await server.rows('select count(*) as n, count(distinct event_message) as different from syslog'), [{ n: count + 1, different: count + 1 }]);
    assert.deepEqual(await server.rows("select timestamp, event_message, host, program, pid, facility, severity from syslog where pid = '7' or program = 'kernel' order by pid"), [
      { timestamp: 1_768_464_001_000_000, event_message: 'no process', host: 'db1', program: 'kernel', pid: '', facility: 'user', severity: 'err' },
      { timestamp: 1_768_464_000_250_000, event_message: 'session 7 "opened" \\ é', host: 'db1', program: 'sshd', pid: '7', facility: 'auth', severity: 'info' },
    ]);
    const statuses = proxy.exchanges.map((exchange) => exchange.status);
    assert.ok(statuses.includes(429), statuses.join(' '));
    assert.ok(proxy.exchanges.every((exchange) => exchange.headers['user-agent'].startsWith('syslog-ng')));
  },
};
