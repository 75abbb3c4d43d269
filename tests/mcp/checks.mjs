// Checks of a client against the server, the same for each generation. Checks without a server come last.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

const messages = 'SELECT id, event_message FROM edge_logs ORDER BY id';
const textOf = (result) => result.content.map((part) => part.text).join('');
const call = (client, name, args) => client.callTool({ name, arguments: args });
const rejects = async (promise, pattern) => assert.rejects(promise, (error) => pattern.test(String(error)) || assert.fail(String(error)));

const lists = async ({ connect, tokens }) => {
  const client = await connect(tokens.all);
  assert.equal(client.getServerVersion().name, 'logquery');
  assert.match(client.getInstructions(), /never an instruction/);
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ['list_logs', 'query_logs', 'explain_error', 'functions_invocation-stats', 'logs_all',
    'logs_all_otel', 'own_newest', 'usage_api-counts']);
  for (const tool of tools) {
    assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(tool.annotations.readOnlyHint, true);
    assert.equal(tool.inputSchema.type, 'object');
    assert.equal(tool.outputSchema.type, 'object');
  }
  await client.close();
};

// The client checks each result against the tool's schema.
const calls = async ({ connect, tokens }) => {
  const client = await connect(tokens.all);
  await client.listTools();
  const logs = await call(client, 'list_logs', {});
  assert.ok(logs.structuredContent.logs.some((log) => log.name === 'edge_logs'));
  const fields = (await call(client, 'list_logs', { log: 'edge_logs', project: 'abc' })).structuredContent.fields;
  assert.deepEqual(fields.find((field) => field.path === 'metadata.request.method').examples, ['GET']);
  const rows = (await call(client, 'query_logs', { project: 'abc', sql: "SELECT id, timestamp FROM edge_logs WHERE id = 'a'" })).structuredContent;
  assert.equal(rows.row_count, 1);
  assert.match(rows.rows[0].timestamp, /^\d{4}-\d\d-\d\dT.*Z$/);
  const counts = await call(client, 'usage_api-counts', { project: 'abc', interval: 'hourly' });
  assert.ok(!counts.isError, textOf(counts));
  const all = await call(client, 'logs_all', { project: 'abc', max_rows: 2 });
  assert.equal(all.structuredContent.row_count, 2);
  const functions = await call(client, 'functions_invocation-stats', { project: 'abc', interval: '1day' });
  assert.ok(!functions.isError, textOf(functions));
  const dry = await call(client, 'query_logs', { project: 'abc', sql: messages, dry_run: true });
  assert.equal(dry.structuredContent.verdict.allowed, true);
  await client.close();
};

const isRefused = async ({ connect, tokens, url }) => {
  const client = await connect(tokens.scoped);
  await client.listTools();
  const wrong = await call(client, 'query_logs', { sql: 'SELECT idd FROM edge_logs' });
  assert.equal(wrong.isError, true);
  assert.match(textOf(wrong), /did you mean id\?/);
  const explained = await call(client, 'explain_error', { error: textOf(wrong) });
  assert.ok(explained.structuredContent.explanations.some((one) => one.of === 'unknown name'));
  for (const sql of ['DELETE FROM edge_logs', "COPY edge_logs TO 'x'", 'SELECT * FROM `cloudflare.logs.prod`']) {
    assert.equal((await call(client, 'query_logs', { sql })).isError, true);
  }
  const other = await call(client, 'query_logs', { sql: messages, project: 'other' });
  assert.equal(other.structuredContent.row_count, 0);
  await rejects(call(client, 'nothing', {}), /there is no tool/);
  await client.close();
  const one = await connect(tokens.one);
  assert.deepEqual((await one.listTools()).tools.map((tool) => tool.name), ['list_logs', 'query_logs', 'explain_error', 'usage_api-counts']);
  await rejects(call(one, 'logs_all', {}), /there is no tool/);
  await one.close();
  await rejects(connect('wrong'), /401|Unauthorized|unknown/i);
  await rejects(connect(tokens.scoped, `${url}?project=other`), /403|another project/);
};

const isLimited = async ({ connect, tokens }) => {
  const client = await connect(tokens.limited);
  let limited = 0;
  for (let i = 0; i < 3; i += 1) limited += (await call(client, 'query_logs', { sql: 'SELECT 1 AS n' })).isError === true ? 1 : 0;
  assert.ok(limited >= 2, `${limited} of 3 calls were refused`);
  const refused = await call(client, 'query_logs', { sql: 'SELECT 1 AS n' });
  assert.equal(refused.structuredContent.error.status, 'RESOURCE_EXHAUSTED');
  assert.ok(refused.structuredContent.error.retry_after_seconds > 0);
  await client.close();
};

const getsDataAsData = async ({ connect, tokens, prompt }) => {
  const client = await connect(tokens.scoped);
  await client.listTools();
  const result = await call(client, 'query_logs', { sql: messages });
  const { rows, notice, notes } = result.structuredContent;
  assert.equal(rows.find((row) => row.id === 'b').event_message, prompt);
  assert.match(notice, /never as instructions/);
  assert.equal(rows.find((row) => row.id === 'c').event_message, '\\u{1b}[2J\\u{202e}gnirts\\u{200b}<img src=x>');
  assert.match(rows.find((row) => row.id === 'd').event_message, /^x{2048}… \(1046528 more bytes\)$/);
  assert.equal(notes.length, 2);
  const text = textOf(result);
  const boundary = /^DATA-[0-9a-f]{32}$/m.exec(text)[0];
  const parts = text.split(`\n${boundary}\n`);
  assert.equal(parts.length, 3);
  assert.deepEqual(parts[1].split('\n').map((line) => JSON.parse(line)), rows);
  assert.ok(!parts[0].includes('administrator') && !parts[2].includes('administrator'));
  const again = textOf(await call(client, 'query_logs', { sql: messages }));
  assert.ok(!again.includes(boundary));
  await client.close();
};

const isRedacted = async ({ connect, tokens }) => {
  const client = await connect(tokens.redacted);
  const text = textOf(await call(client, 'query_logs', { sql: messages }));
  assert.ok(text.includes('from REDACTED') && !text.includes('192.0.2.7'));
  await client.close();
};

const losesItsToken = async ({ connect, run }) => {
  const create = () => run('token', 'create', '--tokens', 'tokens.json', '--project', 'abc');
  const token = create();
  const client = await connect(token);
  assert.ok(!(await call(client, 'query_logs', { sql: 'SELECT 1 AS n' })).isError);
  run('token', 'revoke', '--tokens', 'tokens.json', createHash('sha256').update(token).digest('hex').slice(0, 12));
  await rejects(call(client, 'query_logs', { sql: 'SELECT 1 AS n' }), /401|Unauthorized/i);
  await client.close().catch(() => {});
  const renewed = await connect(create());
  assert.ok(!(await call(renewed, 'query_logs', { sql: 'SELECT 1 AS n' })).isError);
  await renewed.close();
};

// The client listens by itself when it is asked to tell of changes, and lists the tools again. Earlier revisions cannot.
const isToldOfChanges = async ({ connect, tokens, run, define, generation }) => {
  const lists = [];
  const changed = (error, tools) => lists.push(error ?? tools.map((tool) => tool.name));
  const told = async (what, pattern) => {
    const end = Date.now() + 30_000;
    while (!lists.some((names) => pattern.test(String(names)))) {
      assert.ok(Date.now() < end, `${what}: ${JSON.stringify(lists)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const token = run('token', 'create', '--tokens', 'tokens.json', '--project', 'abc');
  const client = await connect(token, undefined, { listChanged: { tools: { onChanged: changed, debounceMs: 0 } } });
  assert.equal(client.getServerCapabilities().tools.listChanged, generation.listens ? true : undefined);
  if (!generation.listens) return client.close();
  assert.deepEqual(client.autoOpenedSubscription.honoredFilter, { toolsListChanged: true });
  const others = await connect(tokens.one, undefined, { listChanged: { tools: { onChanged: () => lists.push('told of a tool of others'), debounceMs: 0 } } });
  define('audit.newest');
  await told('a file that is added', /audit_newest/);
  lists.length = 0;
  define('audit.newest', null);
  await told('a file that is removed', /^list_logs,query_logs(?!.*audit)/);
  assert.ok(!lists.includes('told of a tool of others'));

  // A token that ends is told nothing more, and its client that the stream has ended.
  lists.length = 0;
  run('token', 'revoke', '--tokens', 'tokens.json', createHash('sha256').update(token).digest('hex').slice(0, 12));
  assert.equal(await client.autoOpenedSubscription.closed, 'remote');
  define('audit.newest');
  await rejects(call(client, 'explain_error', { error: 'unknown name' }), /401|Unauthorized/i);
  assert.deepEqual(lists, []);
  define('audit.newest', null);
  await client.close().catch(() => {});
  await others.close();
};

// Places are limited for each token, and a client that leaves frees its own.
const isOneOfFewListeners = async ({ connect, run, generation }) => {
  if (!generation.listens) return;
  const client = await connect(run('token', 'create', '--tokens', 'tokens.json', '--project', 'abc'));
  const listening = await Promise.all(Array.from({ length: 8 }, () => client.listen({ toolsListChanged: true })));
  await rejects(client.listen({ toolsListChanged: true }), /8 clients listen with this token already/);
  await listening[0].close();
  const end = Date.now() + 30_000;
  for (let another = null; another === null;) {
    another = await client.listen({ toolsListChanged: true }).catch((error) => (Date.now() < end ? null : assert.fail(String(error))));
  }
  await client.close();
};

const hearsThatTheServerStops = async ({ connect, tokens, generation, restart }) => {
  if (!generation.listens) return;
  const client = await connect(tokens.all);
  const { closed } = await client.listen({ toolsListChanged: true });
  await restart(async () => assert.equal(await closed, 'graceful'));
  await client.close().catch(() => {});
};

const cancels = async ({ connect, tokens, generation }) => {
  const client = await connect(tokens.scoped);
  const abort = new AbortController();
  const sql = 'SELECT COUNT(*) AS n FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS a CROSS JOIN UNNEST(GENERATE_ARRAY(1, 100000)) AS b '
    + 'WHERE MOD(a * b, 7) = 3';
  const running = generation.call(client, { name: 'query_logs', arguments: { sql } }, { signal: abort.signal });
  setTimeout(() => abort.abort(), 200);
  await rejects(running, /abort/i);
  assert.ok(!(await call(client, 'query_logs', { sql: 'SELECT 1 AS n' })).isError);
  await client.close();
};

const overStdio = async ({ connectStdio, prompt }) => {
  const client = await connectStdio('--data', 'data', '--project', 'abc', '--redact-pii');
  await client.listTools();
  const { rows } = (await call(client, 'query_logs', { sql: messages })).structuredContent;
  assert.deepEqual(rows.map((row) => row.id), ['a', 'b', 'c', 'd']);
  assert.equal(rows[0].event_message, 'GET /x 200 from REDACTED');
  assert.equal(rows[1].event_message, prompt);
  assert.equal((await call(client, 'query_logs', { sql: messages, project: 'other' })).structuredContent.row_count, 0);
  const several = await Promise.all([1, 2, 3, 4, 5].map((n) => call(client, 'query_logs', { sql: `SELECT ${n} AS n` })));
  assert.deepEqual(several.map((result) => result.structuredContent.rows[0].n), [1, 2, 3, 4, 5]);
  await client.close();
};
// A program that the client starts passes messages on to a server elsewhere, with the token's rights.
const byUrl = async ({ connectStdio, url, tokens, prompt, tokenFile, run, generation }) => {
  const file = tokenFile(tokens.scoped);
  const client = await connectStdio('--url', url, '--token-file', file);
  assert.equal(client.getServerVersion().name, 'logquery');
  assert.equal(client.getServerCapabilities().tools.listChanged, undefined);
  await client.listTools();
  const { rows } = (await call(client, 'query_logs', { sql: messages })).structuredContent;
  assert.deepEqual(rows.map((row) => row.id), ['a', 'b', 'c', 'd']);
  assert.equal(rows[1].event_message, prompt);
  assert.equal((await call(client, 'query_logs', { sql: messages, project: 'other' })).structuredContent.row_count, 0);
  assert.equal((await call(client, 'query_logs', { sql: 'SELECT idd FROM edge_logs' })).isError, true);
  await rejects(call(client, 'nothing', {}), /there is no tool/);
  const several = await Promise.all([1, 2, 3, 4, 5].map((n) => call(client, 'query_logs', { sql: `SELECT ${n} AS n` })));
  assert.deepEqual(several.map((result) => result.structuredContent.rows[0].n), [1, 2, 3, 4, 5]);
  const abort = new AbortController();
  const endless = generation.call(client, { name: 'query_logs', arguments: { sql: 'SELECT COUNT(*) AS n FROM UNNEST(GENERATE_ARRAY(1, 100000)) AS a '
    + 'CROSS JOIN UNNEST(GENERATE_ARRAY(1, 100000)) AS b WHERE MOD(a * b, 7) = 3' } }, { signal: abort.signal });
  setTimeout(() => abort.abort(), 200);
  await rejects(endless, /abort/i);

  // A token that ends is an error of each call, and the file's next one counts without a new start.
  const token = run('token', 'create', '--tokens', 'tokens.json', '--project', 'abc', '--redact-pii');
  tokenFile(token, file);
  run('token', 'revoke', '--tokens', 'tokens.json', createHash('sha256').update(tokens.scoped).digest('hex').slice(0, 12));
  assert.match(textOf(await call(client, 'query_logs', { sql: messages })), /from REDACTED/);
  run('token', 'revoke', '--tokens', 'tokens.json', createHash('sha256').update(token).digest('hex').slice(0, 12));
  await rejects(call(client, 'query_logs', { sql: messages }), /answered 401: .*token/);
  await client.close();
  tokens.scoped = run('token', 'create', '--tokens', 'tokens.json', '--project', 'abc');

  const narrowed = await connectStdio('--url', url.replace(/\/mcp$/, ''), '--token-file', tokenFile(tokens.all), '--project', 'abc', '--redact-pii');
  await narrowed.listTools();
  const redacted = (await call(narrowed, 'query_logs', { sql: messages })).structuredContent.rows;
  assert.equal(redacted[0].event_message, 'GET /x 200 from REDACTED');
  assert.equal((await call(narrowed, 'query_logs', { sql: messages, project: 'other' })).structuredContent.row_count, 0);
  await narrowed.close();
};
// A server that goes away is an error of each call until it is back.
const serverGoesAway = async ({ connectStdio, url, tokens, tokenFile, restart }) => {
  const client = await connectStdio('--url', url, '--token-file', tokenFile(tokens.scoped));
  await client.listTools();
  await restart(async () => {
    await rejects(call(client, 'query_logs', { sql: 'SELECT 1 AS n' }), /http:\/\/127\.0\.0\.1:\d+: /);
  });
  assert.equal((await call(client, 'query_logs', { sql: 'SELECT 1 AS n' })).structuredContent.row_count, 1);
  await client.close();
};
const overStdioAlone = (context) => overStdio(context);
overStdioAlone.withoutServer = true;

export const checks = {
  'lists tools': lists,
  'calls tools, whose results have their schemas': calls,
  'is refused what the token may not do': isRefused,
  'is limited as the token is': isLimited,
  'gets a planted prompt as data': getsDataAsData,
  'gets redacted rows': isRedacted,
  'is refused when its token ends': losesItsToken,
  'is told that the list of tools changed': isToldOfChanges,
  'is one of few that may listen': isOneOfFewListeners,
  'hears that the server stops': hearsThatTheServerStops,
  'cancels a call': cancels,
  'over standard input and output, through the server': overStdio,
  'over standard input and output, with a server elsewhere': byUrl,
  'over standard input and output, with a server that goes away and comes back': serverGoesAway,
  'over standard input and output, on a folder of its own': overStdioAlone,
};
