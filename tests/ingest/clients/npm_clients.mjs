// OpenTelemetry's exporters, in JSON and in protobuf, Logflare's transport for pino, winston's transport for HTTP, the SDK of
// CloudEvents, and curl.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export function isMissing(packages) {
  return existsSync(path.join(packages, 'pino-logflare')) ? '' : `there are no packages in ${packages}`;
}

const exporters = { json: '@opentelemetry/exporter-logs-otlp-http', protobuf: '@opentelemetry/exporter-logs-otlp-proto' };

// Emits log records through the SDK's pipeline; returns how the export of each batch went, and what the SDK complained of.
async function exportRecords(packages, kind, settings, records) {
  const load = createRequire(path.join(packages, 'here.js'));
  const { OTLPLogExporter } = load(exporters[kind]);
  const { LoggerProvider, BatchLogRecordProcessor } = load('@opentelemetry/sdk-logs');
  const { resourceFromAttributes } = load('@opentelemetry/resources');
  const { diag } = load('@opentelemetry/api');
  const complaints = [];
  const say = (...words) => complaints.push(words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' '));
  diag.setLogger({ error: say, warn: say, info() {}, debug() {}, verbose() {} }, { suppressOverrideMessage: true });
  const exporter = new OTLPLogExporter(settings);
  const outcomes = [];
  const send = exporter.export.bind(exporter);
  exporter.export = (batch, done) => send(batch, (result) => {
    outcomes.push(result);
    done(result);
  });
  const provider = new LoggerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop', project: 'abc' }), processors: [new BatchLogRecordProcessor({ exporter })],
  });
  const logger = provider.getLogger('orders', '1.2.3');
  for (const record of records) logger.emit(record);
  await provider.forceFlush();
  await provider.shutdown();
  diag.disable();
  return { outcomes, said: complaints };
}

const now = Date.now();
const attributes = {
  'order.id': 7, share: 0.25, negative: -3, big: 9007199254740991, paid: true, tags: ['a', 'b'], text: 'é "q" \u0001 🙂', nested: { deep: { list: [1, { x: 'y' }] } },
};

const records = (name) => [
  { timestamp: now, severityNumber: 9, severityText: 'INFO', body: 'started "é" \u0001 🙂', attributes: { ...attributes, name } },
  { timestamp: now, severityNumber: 17, severityText: 'ERROR', body: { what: 'failed', count: 2 }, attributes: { name } },
];

// In a thread of its own, as pino runs transports; returns when all of it is sent.
async function logWithPino(packages, options, name) {
  const load = createRequire(path.join(packages, 'here.js'));
  const pino = load('pino');
  const transport = pino.transport({ target: load.resolve('pino-logflare'), options });
  await new Promise((resolve) => transport.once('ready', resolve));
  const logger = pino(transport);
  for (let i = 0; i < 3; i += 1) logger.error({ requestId: i }, `${name} ${i} "done"`);
  const closed = new Promise((resolve) => transport.once('close', resolve));
  transport.end();
  await closed;
}

// A batch of three in one request; returns when it was answered.
async function logWithWinston(packages, server, token, messages) {
  const winston = createRequire(path.join(packages, 'here.js'))('winston');
  const { hostname: host, port } = new URL(server.url);
  const transport = new winston.transports.Http({
    host, port, path: '/api/logs?source_name=auth_logs', headers: { 'X-API-KEY': token }, batch: true, batchCount: messages.length, batchInterval: 60_000,
  });
  const logger = winston.createLogger({ transports: [transport] });
  const answered = new Promise((resolve, reject) => {
    transport.once('logged', resolve);
    transport.once('warn', reject);
  });
  for (const message of messages) logger.error(message);
  await answered;
  logger.close();
}

const uuid = '0f3c5a7e-9d3b-4628-80df-2b1c9d07a5e4';

export const args = ['--source-ids', `${uuid}=auth_logs`, '--endpoints', path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../examples/collectors/endpoints')];

// Sends a message as the SDK of CloudEvents has made it.
async function postMessage(server, token, { headers, body }) {
  const response = await fetch(`${server.url}/logs/cloud-event?source=auth_logs`, { method: 'POST', headers: { ...headers, 'x-api-key': token }, body });
  const text = await response.text();
  assert.equal(text, '{"message":"Logged!"}');
}

const columns = 'timestamp, event_message, severity_number, severity_text, body, attributes, resource, scope';

async function checkExporter(server, packages, kind, compression) {
  const token = server.token('--all-projects', '--may-ingest', 'otel_logs', '--no-endpoints');
  const name = `${kind} ${compression}`;
  const settings = { url: `${server.url}/v1/logs`, headers: { 'X-API-KEY': token, 'X-Source': 'otel_logs' }, compression };
  const { outcomes, said: complaints } = await exportRecords(packages, kind, settings, records(name));
  assert.deepEqual(complaints, []);
  assert.deepEqual(outcomes.map((outcome) => outcome.code), [0]);
  const rows = await server.rows(`select ${columns} from otel where json_value(attributes, '$.name') = '${name}' order by severity_number`);
  assert.equal(rows.length, 2);
  assert.equal(rows[0].event_message, 'started "é" \u0001 🙂');
  assert.equal(rows[0].timestamp, now * 1_000);
  assert.equal(rows[0].severity_text, 'INFO');
  assert.deepEqual(rows[0].attributes, { ...attributes, name });
  assert.equal(rows[0].resource['service.name'], 'shop');
  assert.deepEqual(rows[0].scope, { name: 'orders', version: '1.2.3' });
  assert.deepEqual(rows[1].body, { what: 'failed', count: 2 });
  for (const row of rows) row.attributes.name = '';
  return rows;
}

export const checks = {
  "OpenTelemetry's exporters, in JSON and in protobuf, plain and as gzip, store the same rows": async (server, packages) => {
    const first = await checkExporter(server, packages, 'json', 'none');
    for (const [kind, compression] of [['json', 'gzip'], ['protobuf', 'none'], ['protobuf', 'gzip']]) {
      assert.deepEqual(await checkExporter(server, packages, kind, compression), first, `${kind} ${compression}`);
    }
  },

  "OpenTelemetry's exporters tell of records that are refused": async (server, packages) => {
    const token = server.token('--project', 'other', '--may-ingest', 'otel_logs', '--no-endpoints');
    for (const kind of Object.keys(exporters)) {
      const settings = { url: `${server.url}/v1/logs`, headers: { 'X-API-KEY': token, 'X-Source': 'otel_logs' } };
      const { outcomes, said: complaints } = await exportRecords(packages, kind, settings, records(kind));
      assert.deepEqual(outcomes.map((outcome) => outcome.code), [0]);
      assert.equal(complaints.length, 1);
      assert.match(complaints[0], /"rejectedLogRecords":"?2"?/);
      assert.match(complaints[0], /project is abc, but the token may write only other/);
    }
  },

  "half an emoji costs no record, from OpenTelemetry's exporters and from pino": async (server, packages) => {
    const token = server.token('--project', 'abc', '--may-ingest', 'otel_logs,auth_logs', '--no-endpoints');
    for (const kind of Object.keys(exporters)) {
      const settings = { url: `${server.url}/v1/logs`, headers: { 'X-API-KEY': token, 'X-Source': 'otel_logs' } };
      const cut = [0, 1, 2].map((i) => ({ timestamp: now + i, body: `${kind} ${i} ${i === 1 ? 'cut \ud83d' : '🙂'}` }));
      const { outcomes, said: complaints } = await exportRecords(packages, kind, settings, cut);
      assert.deepEqual(complaints, []);
      assert.deepEqual(outcomes.map((outcome) => outcome.code), [0]);
      const rows = await server.rows(`select event_message from otel where starts_with(event_message, '${kind} ') order by timestamp`);
      assert.deepEqual(rows.map((row) => row.event_message), [`${kind} 0 🙂`, `${kind} 1 cut \ufffd`, `${kind} 2 🙂`]);
    }
    await logWithPino(packages, { apiKey: token, apiBaseUrl: server.url, sourceName: 'auth_logs', batchSize: 10 }, 'cut \ud83d');
    const rows = await server.rows("select distinct event_message from auth_logs where starts_with(event_message, 'cut ') order by event_message", 'logs.all');
    assert.deepEqual(rows.map((row) => row.event_message), [0, 1, 2].map((i) => `cut \ufffd ${i} "done"`));
  },

  'the SDK of CloudEvents sends events in binary and in structured mode': async (server, packages) => {
    const token = server.token('--project', 'abc', '--may-ingest', 'auth_logs', '--no-endpoints', '--may-learn');
    const { CloudEvent, HTTP } = createRequire(path.join(packages, 'here.js'))('cloudevents');
    const time = new Date(now).toISOString();
    const eventOf = (id, more) => new CloudEvent({ id, source: '/shop', type: 'order.paid', time, subject: 'Bücher "é" 100%', ...more });
    for (const mode of ['binary', 'structured']) {
      await postMessage(server, token, HTTP[mode](eventOf(`${mode} json`, { datacontenttype: 'application/json', data: { total: 5, by: { card: 'x' } } })));
      await postMessage(server, token, HTTP[mode](eventOf(`${mode} text`, { datacontenttype: 'text/plain', data: 'paid "é" 🙂' })));
      await postMessage(server, token, HTTP[mode](eventOf(`${mode} bytes`, { datacontenttype: 'image/png', data: Uint8Array.from([255, 0, 1]) })));
      const rows = await server.rows(`select t.id, t.timestamp, t.event_message, m.total, m.data_base64, c.subject, c.type from auth_logs as t
        cross join unnest(t.metadata) as m cross join unnest(m.cloud_event) as c where starts_with(t.id, '${mode} ') order by t.id`, 'logs.all');
      const row = { timestamp: now * 1_000, total: null, data_base64: null, subject: 'Bücher "é" 100%', type: 'order.paid' };
      assert.deepEqual(rows, [
        { ...row, id: `${mode} bytes`, event_message: 'order.paid', data_base64: '/wAB' },
        { ...row, id: `${mode} json`, event_message: '{"total":5,"by":{"card":"x"}}', total: 5 },
        { ...row, id: `${mode} text`, event_message: 'paid "é" 🙂' },
      ]);
    }
  },

  'half an emoji costs no event, from winston and from curl': async (server, packages) => {
    const token = server.token('--project', 'abc', '--may-ingest', 'auth_logs', '--no-endpoints');
    const messages = (name) => [`${name} 0 🙂`, `${name} 1 \ud83d`, `${name} 2 🙂`];
    await logWithWinston(packages, server, token, messages('winston'));
    const body = JSON.stringify(messages('curl').map((message) => ({ message })));
    assert.match(body, /\\ud83d/);
    const status = execFileSync('curl', ['--silent', '--output', '/dev/null', '--write-out', '%{http_code}', '--header', `X-API-KEY: ${token}`, '--json', body,
      `${server.url}/api/logs?source_name=auth_logs`], { encoding: 'utf8' });
    assert.equal(status, '200');
    for (const name of ['winston', 'curl']) {
      const rows = await server.rows(`select event_message from auth_logs where starts_with(event_message, '${name} ') order by event_message`, 'logs.all');
      assert.deepEqual(rows.map((row) => row.event_message), messages(name).map((message) => message.replace(/\ud83d$/, '\ufffd')));
    }
  },

  'a wrong token is told as such': async (server, packages) => {
    for (const kind of Object.keys(exporters)) {
      const { outcomes } = await exportRecords(packages, kind, { url: `${server.url}/v1/logs`, headers: { 'X-API-KEY': 'lq_wrong', 'X-Source': 'otel_logs' } }, records(kind));
      assert.deepEqual(outcomes.map((outcome) => [outcome.code, outcome.error.code]), [[1, 401]]);
    }
  },

  "pino's transport for Logflare, with a source's name and with its UUID": async (server, packages) => {
    const token = server.token('--project', 'abc', '--may-ingest', 'auth_logs', '--no-endpoints');
    // A batch that is under way when the transport is closed is sent twice by it.
    for (const [name, source] of [['by name', { sourceName: 'gotrue.logs.prod' }], ['by UUID', { sourceToken: uuid }]]) {
      await logWithPino(packages, { apiKey: token, apiBaseUrl: server.url, ...source, batchSize: 2 }, name);
    }
    const rows = await server.rows("select distinct event_message, m.level, timestamp_diff(current_timestamp(), t.timestamp, minute) as minutes from auth_logs as t "
      + "cross join unnest(metadata) as m where starts_with(event_message, 'by ') order by event_message", 'logs.all');
    assert.deepEqual(rows, ['by UUID', 'by name'].flatMap((name) => [0, 1, 2].map((i) => ({ event_message: `${name} ${i} "done"`, level: 'error', minutes: 0 }))));
  },
};
