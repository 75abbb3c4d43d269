// The query in the other of the two languages, beside the editor: its notes, what has no equal, and taking it over.
import { equal, holds, matches } from './check.mjs';
import { axe } from './flows_page.mjs';

const shownSql = (suite) => suite.browser.run(`return [...(document.querySelector('.rewritten-sql')?.shadowRoot.querySelectorAll('.cm-line') ?? [])]
  .map((line) => line.textContent).join('\\n')`);

async function opens(suite, label) {
  await suite.browser.click(`//button[contains(@class, "as-other")][.="${label}"]`);
  await suite.browser.awaits('.rewriting');
}

const failedByPath = `-- failed requests
select r.path, count(*) as n
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as r
cross join unnest(m.response) as rs
where rs.status_code >= 500
group by r.path
order by n desc, r.path
limit 5`;

// The texts of the table's cells.
const table = (suite) => suite.browser.run('return [...document.querySelectorAll(".lines .line")].map((line) => [...line.querySelectorAll(".cell")].map((cell) => cell.textContent))');

export const rewritingFlows = {
  'a query stands beside its ClickHouse form, which is taken over, has the same rows, and goes back': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { sql: failedByPath, range: 'all' });
    const before = await table(suite);
    holds(before.length > 0, 'there are failed requests');
    await opens(suite, 'as ClickHouse SQL');
    await browser.awaits('.notes li');
    matches(await shownSql(suite), /^-- failed requests\nSELECT[^]*FROM logs\n[^]*source = 'edge_logs'/);
    matches((await browser.texts('.notes b'))[0], /^Line \d+, column \d+$/);
    equal(await browser.texts('.rewriting h2'), ['ClickHouse SQL']);
    const written = await shownSql(suite);
    await browser.click('//button[text()="Take it over"]');
    await browser.until('the endpoint of the other language', async () => (await browser.text('h1')) === 'logs.all.otel');
    equal(await suite.sqlText(), written);
    equal(await browser.texts('.rewriting'), []);
    matches(await browser.awaitText('.notice', /now/), /The query is now ClickHouse SQL, for logs\.all\.otel/);
    equal(await browser.run('return document.getElementById("parameter-project").value'), suite.project);
    equal(await browser.text('[title="Time range"]'), 'All that is kept');
    await browser.awaits('.verdict.allowed');
    await browser.click('button.run');
    await suite.searched();
    equal(await table(suite), before);
    await opens(suite, 'as BigQuery SQL');
    await browser.until('BigQuery SQL', async () => /edge_logs/.test(await shownSql(suite)));
    await browser.click('//button[text()="Take it over"]');
    await browser.until('the endpoint of before', async () => (await browser.text('h1')) === 'logs.all');
    await browser.awaits('.verdict.allowed');
    await browser.click('button.run');
    await suite.searched();
    equal(await table(suite), before);
  },

  'the other form of a query follows what is written, and says with its place what has no equal': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'FREE' }, { sql: 'select id from edge_logs limit 3' });
    await opens(suite, 'as ClickHouse SQL');
    await browser.until('the other form', async () => /^SELECT id\nFROM logs/.test(await shownSql(suite)));
    await suite.writeSql('select id, soundex(event_message) as s from edge_logs limit 3');
    matches(await browser.awaitText('.rewritten-told.refused', /Line 1/), /^Line 1, column 12 /);
    equal(await browser.run('return document.querySelector(".rewriting .primary").disabled'), true);
    equal(await browser.run(`return document.querySelector('.editor').shadowRoot.querySelector('.cm-lintRange-error')?.textContent ?? ''`), 'soundex');
    // The sandbox words what both languages refuse.
    await suite.writeSql('select nothing from edge_logs');
    matches(await browser.awaitText('.rewritten-told.refused', /nothing/), /Line 1, column 8/);
    await suite.writeSql('select count(*) as n from auth_logs');
    await browser.until('the next form', async () => /count\(\) AS n/.test(await shownSql(suite)));
    await browser.click('[aria-label="Close ClickHouse SQL"]');
    equal(await browser.texts('.rewriting'), []);
  },

  'rows without metadata are in the way until somebody says that there are none': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'FREE' }, { sql: 'select t.id from edge_logs t cross join unnest(metadata) m limit 3' });
    await opens(suite, 'as ClickHouse SQL');
    matches(await browser.awaitText('.rewritten-told.refused', /metadata/), /whose metadata is NULL/);
    await browser.click('.rewriting label.check');
    await browser.awaits('.notes li');
    matches((await browser.texts('.notes li'))[0], /every row is taken to have metadata/);
  },

  'endpoints with one language, and tokens for one of the two, have no other form': async (suite) => {
    const { browser } = suite;
    const one = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--all-projects', '--label', 'one', '--endpoint', 'logs.all').trim();
    await suite.callUntil(200, '/api/endpoints', { headers: { 'X-API-KEY': one } });
    const { token } = suite;
    suite.token = one;
    try {
      await suite.shown('logs.all', { project_tier: 'FREE' }, { sql: 'select id from edge_logs limit 3' });
      await browser.awaits('.verdict.allowed');
      equal(await browser.texts('.as-other'), []);
      equal((await suite.call('/api/translate', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ sql: 'select id from edge_logs', to: 'clickhouse' }) })).status, 404);
    } finally {
      suite.token = token;
    }
  },

  'both forms are readable at three sizes, in light and dark': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { sql: failedByPath, range: 'all' });
    await opens(suite, 'as ClickHouse SQL');
    await browser.awaits('.notes li');
    for (const [size, width, height] of [['desktop', 1280, 800], ['wide', 1680, 1050], ['phone', 390, 844]]) {
      await browser.resize(width, height);
      for (const theme of ['light', 'dark']) {
        await browser.run('document.documentElement.dataset.theme = arguments[0]', theme);
        await axe(suite, `${theme}: both forms of a query, ${size}`);
        equal(await browser.run('return document.documentElement.scrollWidth <= innerWidth'), true, `${size} has no sideways scrolling`);
        if (size === 'phone') await browser.run('document.querySelector(".rewriting").scrollIntoView({ block: "center" })');
        await suite.screenshot(`${size}-rewriting-${theme}`);
      }
    }
    await browser.run('delete document.documentElement.dataset.theme');
  },
};
