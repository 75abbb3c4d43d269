// A million rows in each format: equal to those of JSON, from a server whose memory stays flat.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

const count = 1_000_000;
const mostMemory = 300 << 20;
const sql = `
SELECT a * 1000 + b AS i, CONCAT('message ', CAST(a * b AS STRING), ' of a million') AS message, (a + b) / 8 AS f, MOD(b, 7) = 0 AS is_seventh,
  IF(MOD(b, 5) = 0, NULL, TIMESTAMP_MICROS(1769846400000000 + a * 1000 + b)) AS ts
FROM UNNEST(GENERATE_ARRAY(0, 999)) AS a, UNNEST(GENERATE_ARRAY(0, 999)) AS b`;

const memory = (pid, field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;

// Returns the body, after a check of the most memory that the server took for it.
async function measured({ call, pid }, format) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');  // the peak counts from now on
  const idle = memory(pid, 'VmRSS');
  // Reading rows has blocked this process, which may not know yet that the server has closed the idle connection.
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  const response = await call('million', { format });
  assert.equal(response.status, 200, await response.clone().text().then((text) => text.slice(0, 500)));
  const body = new Uint8Array(await response.arrayBuffer());
  const more = memory(pid, 'VmHWM') - idle;
  console.log(`formats: ${format}: ${(body.length / 2 ** 20).toFixed(1)} MiB, the server took ${(more / 2 ** 20).toFixed(1)} MiB more than idle`);
  assert.ok(more <= mostMemory, `${format}: ${more} bytes more than idle`);
  return body;
}

const byNumber = (rows) => {
  const sorted = new Array(count);
  for (const row of rows) sorted[row.i] = row;
  return sorted;
};

const list = {
  'a million rows are the same in every format, and the memory is flat': async (context) => {
    const { readers } = context;
    const text = new TextDecoder().decode(await measured(context, 'ndjson'));
    const json = byNumber(text.trimEnd().split('\n').map((line) => JSON.parse(line)));
    assert.equal(json.filter((row) => row !== undefined).length, count);
    const same = (rows, format) => {
      assert.equal(rows.length, count, format);
      byNumber(rows).forEach((row, i) => {
        const expected = json[i];
        for (const name of Object.keys(expected)) {
          if (row[name] !== expected[name]) assert.deepEqual(row, expected, `${format}, row ${i}`);
        }
      });
    };
    const arrays = JSON.parse(new TextDecoder().decode(await measured(context, 'json-rows')));
    const types = Object.fromEntries(arrays.schema.map((column) => [column.name, column.type]));
    same(arrays.rows.map((row) => Object.fromEntries(row.map((value, n) => [arrays.schema[n].name, value]))), 'json-rows');
    same(readers.arrowRows(await measured(context, 'arrow')), 'arrow');
    same(await readers.parquetRows(await measured(context, 'parquet'), types), 'parquet');
  },
};

export const million = { definitions: { million: [sql, { max_rows: 2_000_000 }] }, checks: list };
