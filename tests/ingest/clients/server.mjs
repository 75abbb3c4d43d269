// A server that takes logs, for clients as people run them: its folder, tokens, and queries over what arrived.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import assert from 'node:assert/strict';
import path from 'node:path';
import { startProgram } from '../../browser/webdriver.mjs';

export class Server {
  // `args` go to `logquery serve` after --ingest.
  static async start(program, work, ...args) {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(path.join(work, 'data'), { recursive: true });
    const server = new Server(program, work, args);
    server.reader = server.token('--all-projects');
    server.process = await startProgram(program, ['serve', '--ingest', '--data', 'data', '--tokens', 'tokens.json',
      '--listen', '127.0.0.1:0', ...args], /listening on (http:\S+)\//, { cwd: work });
    server.url = server.process.match[1];
    return server;
  }

  constructor(program, work, args) {
    // Tokens name the logs that definitions declare.
    const at = args.indexOf('--endpoints');
    Object.assign(this, { program, work, definitions: at < 0 ? [] : args.slice(at, at + 2) });
  }

  token(...args) {
    return execFileSync(this.program, ['token', 'create', '--tokens', 'tokens.json', ...this.definitions, ...args],
      { cwd: this.work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }

  // The rows of the project abc.
  async rows(sql, endpoint = 'collected.logs') {
    const parameters = new URLSearchParams({ project: 'abc', sql });
    const response = await fetch(`${this.url}/api/endpoints/query/${endpoint}?${parameters}`, { headers: { 'x-api-key': this.reader } });
    const text = await response.text();
    assert.equal(response.status, 200, `${sql}\n${text}`);
    return JSON.parse(text).result;
  }

  // The rows as soon as `counted` finds so many in them: clients send when they like to.
  async rowsWhen(count, sql, counted = (rows) => rows.length) {
    const deadline = Date.now() + 120_000;
    let rows = await this.rows(sql);
    while (counted(rows) < count) {
      assert.ok(Date.now() < deadline, `${count} were expected, there are ${counted(rows)}; the server's output:\n${this.process.output()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      rows = await this.rows(sql);
    }
    return rows;
  }

  stop() {
    return this.process.stop();
  }
}
