// The requests for each format, and the expected answers. Rows are compared with those of format=json, which other tests check.
import assert from 'node:assert/strict';

// A column of each type, with NULLs in a third of the rows, and values at the ends of their ranges.
const everyType = `
SELECT i, IF(MOD(i, 3) = 1, NULL, MOD(i, 2) = 0) AS b, IF(MOD(i, 3) = 2, NULL, i * 1.5) AS f,
  IF(MOD(i, 3) = 0, NULL, CAST(i AS NUMERIC) / 8 - 3) AS n, CAST(i AS BIGNUMERIC) / 3 - 7 AS bn,
  IF(MOD(i, 3) = 1, NULL, CONCAT('text é ', CAST(i AS STRING), REPEAT('x', MOD(i, 40)))) AS s,
  CAST(CONCAT('bytes ', CAST(i AS STRING)) AS BYTES) AS raw, DATE_ADD(DATE '1970-01-01', INTERVAL i * 37 - 20000 DAY) AS d,
  TIME_ADD(TIME '00:00:00', INTERVAL i * 1234567 MICROSECOND) AS t,
  DATETIME_ADD(DATETIME '1969-12-31 23:59:59.5', INTERVAL i * 98765432 MICROSECOND) AS dt,
  IF(MOD(i, 3) = 2, NULL, TIMESTAMP_MICROS(i * 123456789123 - 432000000000)) AS ts,
  MAKE_INTERVAL(0, MOD(i, 30) - 15, MOD(i, 90) - 45, 0, 0, i) AS iv, PARSE_JSON(CONCAT('{"n":', CAST(i AS STRING), ',"l":[1,null]}')) AS j,
  IF(MOD(i, 3) = 0, [], [CAST(i AS STRING), NULL, 'é']) AS texts, [i, i + 1] AS numbers,
  IF(MOD(i, 3) = 1, NULL, STRUCT(i AS a, STRUCT(DATE '2026-01-31' AS c, [TIMESTAMP_MICROS(i)] AS times) AS inner_struct)) AS st,
  [STRUCT(CAST(i AS STRING) AS k, IF(MOD(i, 2) = 0, NULL, i / 4) AS v)] AS pairs
FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS i
ORDER BY i`;

const oddNames = `
SELECT 1 AS \`a b\`, 2 AS \`quote"d\`, 3 AS \`ünï\`, STRUCT(4 AS \`x y\`, 5 AS X, 6 AS x) AS s, [STRUCT(7, 'unnamed')] AS l, 8 AS \`select\``;

const edges = `
SELECT 9223372036854775807 AS most, -9223372036854775808 AS least, CAST('NaN' AS FLOAT64) AS nan, CAST('-inf' AS FLOAT64) AS inf,
  NUMERIC '12345.000000001' AS n, BIGNUMERIC '-0.00000000000000000000000000000000000001' AS bn, DATE '0001-01-01' AS first_day,
  DATE '9999-12-31' AS last_day, TIMESTAMP '0001-01-01 00:00:00+00' AS first_time, TIMESTAMP '9999-12-31 23:59:59.999999+00' AS last_time,
  TIME '23:59:59.999999' AS t, '' AS empty, CAST(NULL AS STRING) AS nothing, 'line\\nbreak "quoted" \\\\ \\u0000 end' AS s, b'\\x00\\xff' AS raw,
  CAST([] AS ARRAY<INT64>) AS l, INTERVAL '1-2 3 4:5:6.789' YEAR TO SECOND AS iv`;

const definitions = {
  'every-type': [everyType, { max_rows: 100000 }],
  'odd-names': [oddNames, {}],
  edges: [edges, {}],
  none: [`SELECT * FROM (${everyType.replace('ORDER BY i', '')}) WHERE i < 0`, {}],
  'too-far': [`SELECT i, IF(i = 4000, MAKE_INTERVAL(0, 0, 0, 87000000), MAKE_INTERVAL(1)) AS iv FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS i ORDER BY i`, { max_rows: 100000 }],
  late: ["SELECT i, 10 / (4000 - i) AS x FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS i ORDER BY i", { max_rows: 100000 }],
  logs: ['SELECT id, timestamp, event_message, metadata FROM `cloudflare.logs.prod` ORDER BY timestamp DESC, id', { max_rows: 100000 }],
  cached: ['SELECT COUNT(*) AS n FROM `cloudflare.logs.prod`', { caching: 600 }],
  formats: ['SELECT @format AS chosen', { parameters: [{ name: 'format', type: 'STRING', required: true }] }],
};

const ok = async (response) => {
  assert.equal(response.status, 200, await response.clone().text().then((text) => text.slice(0, 500)));
  return response;
};
const bytes = async (response) => new Uint8Array(await (await ok(response)).arrayBuffer());

// The rows of an endpoint in all formats, compared with JSON's.
async function compare({ call, readers, tokens }, endpoint, parameters = {}, token = tokens.all) {
  const get = async (format) => call(endpoint, { ...parameters, format }, token);
  const json = (await (await ok(await get('json'))).json()).result;
  const arrays = await (await ok(await get('json-rows'))).json();
  const names = arrays.schema.map((column) => column.name);
  const types = Object.fromEntries(arrays.schema.map((column) => [column.name, column.type]));
  assert.deepEqual(Object.keys(arrays), ['schema', 'rows']);
  assert.deepEqual(arrays.rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i], value]))), json);
  assert.deepEqual(readers.arrowRows(await bytes(await get('arrow'))), json);
  const parquet = await bytes(await get('parquet'));
  assert.equal(Number(readers.parquetMetadata(parquet).num_rows), json.length);
  return { json, types, parquet, parquetRows: await readers.parquetRows(parquet, types) };
}

const list = {
  'every type is the same in every format': async (context) => {
    const { json, parquetRows } = await compare(context, 'every-type');
    assert.equal(json.length, 5000);
    assert.deepEqual(parquetRows, json);
  },

  'values at the ends of their ranges are the same': async (context) => {
    const { json, parquetRows } = await compare(context, 'edges', { int64: 'number' });
    assert.deepEqual(parquetRows, json);
  },

  'a result without rows has its columns': async (context) => {
    const { json, types, parquet } = await compare(context, 'none');
    assert.deepEqual(json, []);
    const schema = context.readers.parquetMetadata(parquet).schema;
    for (const name of Object.keys(types)) assert.ok(schema.some((column) => column.name === name), name);
    const table = context.readers.arrowTable(await bytes(await context.call('none', { format: 'arrow' })));
    assert.deepEqual(table.schema.fields.map((field) => field.name), Object.keys(types));
    assert.equal(table.numRows, 0);
  },

  'names of any characters stay; fields with the same name are told apart in Parquet': async (context) => {
    const { call, readers } = context;
    const json = (await (await ok(await call('odd-names', {}))).json()).result[0];
    const [arrow] = readers.arrowRows(await bytes(await call('odd-names', { format: 'arrow' })));
    assert.deepEqual(Object.keys(arrow), Object.keys(json));
    const [parquet] = await readers.parquetRows(await bytes(await call('odd-names', { format: 'parquet' })), {});
    assert.deepEqual(Object.keys(parquet), Object.keys(json));
    assert.deepEqual(Object.keys(parquet.s), ['x y', 'X', '_3']);
    assert.deepEqual(Object.keys(parquet.l[0]), ['_field_1', '_field_2']);
  },

  'rows of a log come with their records, and only those that the token may read': async (context) => {
    const all = await compare(context, 'logs');
    assert.equal(all.json.length, 500);
    assert.deepEqual(all.parquetRows, all.json);
    const one = await compare(context, 'logs', {}, context.tokens.scoped);
    assert.equal(one.json.length, 400);
    assert.deepEqual(one.parquetRows, one.json);
  },

  'redacted rows have no address in any format': async ({ call, readers, tokens }) => {
    for (const [token, headers] of [[tokens.redacted, {}], [tokens.all, { 'LF-ENDPOINT-REDACT-PII': 'true' }]]) {
      const arrow = readers.arrowRows(await bytes(await call('logs', { format: 'arrow' }, token, headers)));
      const parquet = await readers.parquetRows(await bytes(await call('logs', { format: 'parquet' }, token, headers)), {});
      const { rows } = await (await call('logs', { format: 'json-rows' }, token, headers)).json();
      const messages = [...arrow, ...parquet].map((row) => row.event_message).concat(rows.map((row) => row[2]));
      assert.equal(messages.length, 1500);
      for (const message of messages) assert.match(message, /^GET \/\d+ from REDACTED$/);
    }
  },

  'formats have their types, by parameter and by Accept': async ({ call, tokens }) => {
    const types = { arrow: 'application/vnd.apache.arrow.stream', parquet: 'application/vnd.apache.parquet', 'json-rows': 'application/vnd.logquery.rows+json' };
    for (const [format, type] of Object.entries(types)) {
      const asked = await ok(await call('edges', { format }));
      assert.equal(asked.headers.get('content-type'), type);
      const accepted = await ok(await call('edges', {}, tokens.all, { Accept: `${type}, application/json;q=0.5` }));
      assert.equal(accepted.headers.get('content-type'), type);
      assert.equal(accepted.headers.get('etag'), asked.headers.get('etag'));
    }
    assert.equal((await call('edges', { format: 'avro' })).status, 406);
    // The endpoint's own parameter of that name is not the server's.
    const own = await ok(await call('formats', { format: 'parquet' }));
    assert.deepEqual(await own.json(), { result: [{ chosen: 'parquet' }] });
  },

  'an error in a late row is a status, and no part of a file': async ({ call }) => {
    for (const format of ['arrow', 'parquet', 'json-rows']) {
      const response = await call('late', { format });
      assert.equal(response.status, 400);
      assert.match((await response.json()).error.message, /division by zero/);
    }
  },

  'a value that Arrow does not have is a 400 that says what to do, and other formats have it': async ({ call }) => {
    const response = await call('too-far', { format: 'arrow' });
    assert.equal(response.status, 400);
    assert.match((await response.json()).error.message, /exceeds 64 bits of nanoseconds.*CAST the column to STRING/);
    await ok(await call('too-far', { format: 'parquet' }));
    await ok(await call('too-far', { format: 'json-rows' }));
  },

  'the limit of an answer holds for each format': async ({ call, tokens }) => {
    for (const format of ['json', 'arrow', 'parquet', 'json-rows']) {
      const response = await call('every-type', { format }, tokens.short);
      assert.equal(response.status, 400);
      const { error } = await response.json();
      assert.match(error.message, /longer than 3000 bytes/);
      assert.equal(error.details.reason, 'resourcesExceeded');
    }
  },

  'cached answers of each format are their own': async ({ call, readers }) => {
    for (const round of ['miss', 'hit']) {
      for (const format of ['json', 'arrow', 'parquet', 'json-rows']) {
        const response = await ok(await call('cached', { format }));
        assert.equal(response.headers.get('logquery-cache'), round, format);
        const body = await bytes(response);
        const text = new TextDecoder().decode(body);
        if (format === 'json') assert.equal(text, '{"result":[{"n":500}]}');
        if (format === 'json-rows') assert.equal(text, '{"schema":[{"name":"n","type":"INT64"}],"rows":[[500]]}');
        if (format === 'arrow') assert.deepEqual(readers.arrowRows(body), [{ n: 500 }]);
        if (format === 'parquet') assert.deepEqual(await readers.parquetRows(body, { n: 'INT64' }), [{ n: 500 }]);
      }
    }
  },

  'Arrow is compressed for the way when asked, and Parquet is not packed twice': async ({ call, readers }) => {
    const packed = await ok(await call('every-type', { format: 'arrow' }, undefined, { 'Accept-Encoding': 'gzip' }));
    assert.equal(packed.headers.get('content-encoding'), 'gzip');
    assert.equal(readers.arrowRows(await bytes(packed)).length, 5000);
    const parquet = await ok(await call('every-type', { format: 'parquet' }, undefined, { 'Accept-Encoding': 'gzip' }));
    assert.equal(parquet.headers.get('content-encoding'), null);
  },

  'pages of each format link to the next': async ({ call, readers }) => {
    const first = await ok(await call('logs.all', { project: 'abc', project_tier: 'PRO', format: 'arrow', sql: 'select id, timestamp from edge_logs order by timestamp desc, id limit 10' }));
    const link = first.headers.get('link');
    assert.match(link, /rel="next"$/);
    const rows = readers.arrowRows(await bytes(first));
    const query = Object.fromEntries(new URL(/<([^>]*)>/.exec(link)[1], 'http://host').searchParams);
    assert.equal(query.format, 'arrow');
    const second = readers.arrowRows(await bytes(await call('logs.all', query)));
    assert.equal(new Set([...rows, ...second].map((row) => row.id)).size, 20);
  },

  'logquery run writes the same bytes, through the server that has the folder': async ({ call, run }) => {
    for (const format of ['arrow', 'parquet', 'json-rows']) {
      const sent = await bytes(await call('edges', { format }));
      const printed = run('run', '--data', 'data', '--format', format, 'edges');
      assert.deepEqual(new Uint8Array(printed), sent);
    }
  },
};

export const checks = { definitions, checks: list };
