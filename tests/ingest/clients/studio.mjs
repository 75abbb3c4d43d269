// Self-hosted Studio: its server's requests, as Node's fetch sends them, for the queries of every page. They pass a proxy that
// records them, and each has to be answered with rows, or with none where the log has none.
import assert from 'node:assert/strict';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startRecordingProxy } from './recording_proxy.mjs';
import { cronQueries, logs, oneRowQuery, previewQueries, reportQueries, templateQueries, unifiedQueries } from './studio_queries.mjs';

export const isMissing = () => '';

export const args = ['--endpoints', path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../examples/supabase/endpoints'),
  '--default-tier', 'ENTERPRISE'];

const hour = 3_600_000;

// Events of each service; a log that is not named here has none.
const sent = {
  edge_logs: [200, 404, 500].map((status) => ({
    event_message: `GET | ${status}`, project: 'default', identifier: 'default',
    metadata: { request: { method: 'GET', path: status === 404 ? '/storage/v1/object/a' : '/rest/v1/todos', search: '?a=1', headers: { content_length: '12' } },
      response: { status_code: status, origin_time: 12, headers: { content_length: '2000000', cf_cache_status: 'MISS', cf_ray: 'r' } } },
  })),
  postgres_logs: ['LOG', 'WARNING', 'ERROR'].map((severity) => ({
    event_message: `checkpoint of a cron job: ${severity}`, project: 'default', identifier: 'default',
    metadata: { host: 'db', parsed: { error_severity: severity, user_name: 'postgres', application_name: 'pg_cron', query: 'select 1' } },
  })),
  function_logs: [{ event_message: 'booted', metadata: { project_ref: 'default', level: 'info', function_id: 'f', execution_id: 'e', request_id: 'q', event_type: 'Boot' } }],
  function_edge_logs: [{
    event_message: 'POST | 200', metadata: { project_ref: 'default', function_id: 'f', execution_time_ms: 7, request_id: 'q', request: { method: 'POST', pathname: '/hello' },
      response: { status_code: 200, headers: { x_sb_edge_region: 'eu' } } },
  }],
  auth_logs: ['200', '422'].map((status) => ({
    event_message: JSON.stringify({ level: 'info', action: 'login', user_id: 'u', login_method: 'password', metering: true, duration: 2_000_000 }), project: 'default',
    metadata: { level: 'info', status, path: '/token', msg: 'request completed', request_id: 'r' },
  })),
  storage_logs: [{ event_message: 'GET | 200', metadata: { project: 'default', level: 'info' } }],
  supavisor_logs: [{ event_message: 'ready', metadata: { project: 'default', level: 'info' } }],
  multigres_logs: [{ event_message: '{"level":"WARN"}', project: 'default' }],
};

async function post(server, log, events) {
  const response = await fetch(`${server.url}/api/logs?source_name=${log}`,
    { method: 'POST', headers: { 'x-api-key': server.writer, 'Content-Type': 'application/json' }, body: JSON.stringify(events) });
  assert.equal(await response.text(), '{"message":"Logged!"}', log);
}

// Asks as Studio's server does: the parameters of the page follow the project.
async function ask(server, name, parameters) {
  const url = new URL(`${server.proxy.url}/api/endpoints/query/${name}`);
  url.searchParams.set('project', 'default');
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  const response = await fetch(url, {
    method: 'GET', headers: { 'x-api-key': server.reader, 'Content-Type': 'application/json', Accept: 'application/json' },
  });
  const answer = await response.json();
  assert.ok(response.ok, `${response.status} ${answer.error?.message}\n${parameters.sql ?? url}`);
  assert.ok(Array.isArray(answer.result));
  return answer.result;
}

const page = (server, sql) => ask(server, 'logs.all', { iso_timestamp_start: server.start, iso_timestamp_end: '', sql });
const sum = (rows, name) => rows.reduce((total, row) => total + row[name], 0);

async function preview(server, log) {
  const expected = (sent[log] ?? []).length;
  const queries = previewQueries(log, server.start);
  for (const sql of queries.rows) {
    const rows = await page(server, sql);
    assert.equal(rows.length, expected, sql);
    for (const row of rows) assert.ok(row.id && row.event_message && String(row.timestamp).length === 16, JSON.stringify(row));
  }
  for (const sql of queries.count) assert.deepEqual(await page(server, sql), [{ count: expected }]);
  for (const sql of queries.chart) {
    const buckets = await page(server, sql);
    assert.equal(sum(buckets, 'ok_count') + sum(buckets, 'error_count') + sum(buckets, 'warning_count'), expected, sql);
  }
  for (const sql of queries.filtered) assert.ok((await page(server, sql)).length <= Math.max(expected, 1), sql);
  if (expected === 0) return;
  const [{ id }] = await page(server, queries.rows[0]);
  const [row] = await page(server, oneRowQuery(log, id));
  assert.equal(row.id, id);
  assert.ok(logs[log].withoutMetadata || row.metadata.length === 1);
}

export const checks = {
  'the pages of each log': async (server) => {
    server.proxy = await startRecordingProxy(server.url);
    server.writer = server.token('--all-projects', '--may-ingest', '--no-endpoints');
    server.start = new Date(Date.now() - hour).toISOString();
    for (const [log, events] of Object.entries(sent)) await post(server, log, events);
    for (const log of Object.keys(logs)) await preview(server, log);
    for (const sql of cronQueries(server.start)) assert.ok((await page(server, sql)).length > 0, sql);
  },

  'reports, the unified page and the templates of the explorer': async (server) => {
    const [requests, errors, ...reports] = reportQueries(server.start, new Date(Date.now() + hour).toISOString());
    assert.equal(sum(await page(server, requests), 'count'), 3);
    assert.equal(sum(await page(server, errors), 'count'), 1);
    for (const sql of [...reports, ...templateQueries()]) await page(server, sql);
    const [rows, narrowed, facets, chart] = unifiedQueries();
    // Each row of the gateway once, each of the database, the function's call, and each of authentication by each request of its id.
    assert.equal((await page(server, rows)).length, 3 + 3 + 1 + 2 * 3);
    assert.equal((await page(server, narrowed)).length, 0);
    assert.ok((await page(server, facets)).some((row) => row.dimension === 'log_type' && row.value === 'postgres' && row.count === 3));
    assert.equal(sum(await page(server, chart), 'total_per_bucket'), 13);
  },

  "the endpoints of the functions', usage and health pages": async (server) => {
    const range = { iso_timestamp_start: server.start, iso_timestamp_end: new Date(Date.now() + hour).toISOString() };
    for (const interval of ['15min', '1hr', '3hr', '1day', '7day']) {
      for (const name of ['functions.combined-stats', 'functions.req-stats', 'functions.resource-usage']) {
        await ask(server, name, { interval, function_id: 'f' });
      }
    }
    for (const interval of ['1hr', '1day', '7day', 'minutely', 'hourly', 'daily']) await ask(server, 'usage.api-counts', { interval });
    assert.deepEqual(await ask(server, 'usage.api-requests-count', { interval: '1day' }), [{ count: 3 }]);
    assert.ok((await ask(server, 'service-health', { ...range, granularity: 'hour' })).length > 0);
  },

  'what the proxy recorded': async (server) => {
    const { exchanges } = server.proxy;
    await server.proxy.stop();
    assert.ok(exchanges.length > 200, String(exchanges.length));
    assert.deepEqual(exchanges.filter((exchange) => exchange.status !== 200 || exchange.method !== 'GET'), []);
    assert.deepEqual(new Set(exchanges.map((exchange) => new URL(exchange.url, server.url).pathname.split('/').pop())), new Set(['logs.all',
      'functions.combined-stats', 'functions.req-stats', 'functions.resource-usage', 'usage.api-counts', 'usage.api-requests-count', 'service-health']));
  },
};
