// The chart above the rows: the histogram of a log, what is drawn of other rows, and what somebody chooses.
import { equal, holds, matches } from './check.mjs';
import { keys } from './webdriver.mjs';

async function chartSays(suite, pattern) {
  await suite.browser.until(`a chart that is ${pattern}`, async () =>
    pattern.test(await suite.browser.run('return document.querySelector(".chart")?.getAttribute("aria-label") ?? ""')));
}

export const chartFlows = {
  'what somebody chooses is drawn, stays with a reload, and travels in the link': async (suite) => {
    const { browser } = suite;
    const sql = 'select p.status_code, avg(p.origin_time) as slow_ms, count(*) as requests from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.response) p group by 1';
    await suite.shown('logs.all', {}, { sql });
    // If all columns are numbers, the counting one is drawn, by the naming one.
    await chartSays(suite, /^Bar chart of requests by status_code/);
    await browser.click('//button[text()="Chart"]');
    await browser.click('//label[contains(., "slow_ms")]/input');
    await chartSays(suite, /^Bar chart of slow_ms by status_code/);
    await browser.click('//button[text()="Lines"]');
    await chartSays(suite, /^Line chart of slow_ms by status_code/);
    await browser.click('//label[contains(., "requests")]/input');
    await chartSays(suite, /^Line chart of slow_ms, requests by status_code/);
    const link = await browser.run('return location.href');
    await browser.open(link);
    await chartSays(suite, /^Line chart of slow_ms, requests by status_code/);
    await browser.click('//button[text()="Chart"]');
    await browser.click('//button[text()="No chart"]');
    await browser.until('no chart', async () => (await browser.texts('.chart')).length === 0);
    // Other columns have the chart that suits them.
    await suite.writeSql('select m.level, count(*) as n from auth_logs t cross join unnest(t.metadata) m group by 1');
    await browser.click('//button[text()="Chart"]');
    await browser.click('//button[text()="Bars"]');
    await browser.press(keys.escape);
    await browser.click('button.run');
    await chartSays(suite, /^Bar chart of n by level/);
    equal(await browser.run('return location.hash.includes("chart")'), false);
  },

  'a time and a category give a line for each of its values': async (suite) => {
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { range: 'all', sql: 'select timestamp_trunc(t.timestamp, hour) as hour, r.method, count(*) as n from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.request) r group by 1, 2' });
    await chartSays(suite, /^Line chart of n over hour by method/);
    holds((await suite.browser.texts('.u-legend .u-label')).includes('GET'), 'the legend names the methods');
    await suite.browser.click('//button[text()="Chart"]');
    await suite.browser.click('//button[text()="Bars"]');
    await chartSays(suite, /^Bar chart of n over hour by method/);
  },

  'the histogram can be left out': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.awaits('.u-over');
    await browser.click('//button[text()="Chart"]');
    await browser.click('//label[contains(., "Rows over time")]/input');
    await browser.until('no chart', async () => (await browser.texts('.chart-pane')).length === 0);
    await browser.post('/refresh');
    await browser.awaits('.lines .line');
    equal(await browser.texts('.chart-pane'), []);
  },

  'the histogram counts all rows of the range, and narrows it': async (suite) => {
    const { browser } = suite;
    const day = new Date(Date.now() - 40 * 3600e3).toISOString();
    const end = new Date(Date.now() - 3600e3).toISOString();
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { range: `${day}/${end}` });
    const [{ n }] = await suite.rows('logs.all', { project: suite.project, project_tier: 'ENTERPRISE', iso_timestamp_start: day, iso_timestamp_end: end, sql: 'select count(*) as n from edge_logs' });
    const title = await browser.awaitText('.chart-title', /rows/);
    equal(Number(/^([\d,]+) rows/.exec(title)[1].replaceAll(',', '')), n);
    await browser.awaits('.u-over');
    await browser.drag('.u-over', 150, 0, -200, 0);
    await browser.until('a narrower range', async () => !(await browser.run('return decodeURIComponent(location.hash)')).includes(day));
    await browser.awaits('.lines .line');
    holds(!(await browser.awaitText('.chart-title', /rows/)).startsWith(`${n.toLocaleString('en')} `), 'fewer rows are counted');
  },

  'the histogram of all that is kept spans all rows, and the window is shown': async (suite) => {
    const { browser } = suite;
    const [{ n }] = await suite.rows('logs.all', { project: suite.project, project_tier: 'ENTERPRISE', sql: 'select count(*) as n from edge_logs' });
    const counted = () => browser.run('return document.querySelector(".chart")?.getAttribute("aria-label") ?? ""');
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { range: 'all' });
    await browser.awaitText('.chart-title', new RegExp(`^${n.toLocaleString('en')} rows(?! that)`));
    // At most 72 parts of bars are drawn, the highest ones.
    const most = Math.max(...[...(await counted()).matchAll(/ from \d+ to (\d+)/g)].map((match) => Number(match[1])));
    holds(most > n / (72 * 6), `the highest part of at most 72 bars counts ${most} of ${n}`);
    equal(await browser.text('.badge.window'), 'the oldest row – now');
  },

  'a line over time falls to 0 where nothing was counted, up to now': async (suite) => {
    const { browser } = suite;
    // Every third hour has rows, and this one is not among them.
    const sql = `select timestamp_trunc(timestamp, hour) as hour, count(*) as n from edge_logs where mod(extract(hour from timestamp), 3) = ${(new Date().getUTCHours() + 1) % 3} group by 1 order by 1 desc`;
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { sql });
    if ((await browser.text('.query-pane .bar > button.quiet')) !== 'UTC') await browser.click('.query-pane .bar > button.quiet');
    await chartSays(suite, /^Line chart of n over hour; n from 0 to [1-9]\d*\./);
    // The legend tells the time and the value under the pointer: at the right edge is this hour.
    const at = () => browser.run(`const over = document.querySelector('.u-over').getBoundingClientRect();
      document.querySelector('.u-over').dispatchEvent(new MouseEvent('mousemove', { clientX: over.right - 1, clientY: over.top + 5, bubbles: true }));
      return [...document.querySelectorAll('.u-legend .u-value')].map((value) => value.textContent)`);
    const hour = new Date(Math.floor(Date.now() / 3600e3) * 3600e3).toISOString().slice(0, 13).replace('T', ' ');
    await browser.until('the hour of now', async () => (await at())[0].startsWith(hour));
    holds(!(await browser.texts('.lines .cell')).some((text) => text.startsWith(hour)), 'the table has no row for it');
  },

  'the histogram counts past a LIMIT with an OFFSET, and says when it cannot': async (suite) => {
    const { browser } = suite;
    const [{ n }] = await suite.rows('logs.all', { project: suite.project, project_tier: 'ENTERPRISE', sql: 'select count(*) as n from auth_logs' });
    const titled = (number) => new RegExp(`^${number.toLocaleString('en')} rows(?! that)`);
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { range: 'all', sql: 'select timestamp, event_message from auth_logs limit 20 offset 5 -- some' });
    await browser.awaitText('.chart-title', titled(n));
    await suite.shown('logs.all', { project_tier: 'ENTERPRISE' }, { range: 'all', sql: 'select timestamp, event_message from (select * from auth_logs limit 20)' });
    await browser.awaitText('.chart-title', titled(20));
  },

  'rows with a time are drawn as lines, rows with a category as bars': async (suite) => {
    const { browser } = suite;
    await suite.shown('functions.invocation-stats');
    await browser.awaits('.u-over');
    matches(await browser.run('return document.querySelector(".chart").getAttribute("aria-label")'), /^Line chart of .*count over timestamp/);
    await suite.shown('logs.all', {}, { sql: 'select r.method, count(*) as n from edge_logs t cross join unnest(t.metadata) m cross join unnest(m.request) r group by r.method' });
    await browser.awaits('.u-over');
    matches(await browser.run('return document.querySelector(".chart").getAttribute("aria-label")'), /^Bar chart of n by method/);
  },

  'the legend names a value only where there is one, and nothing covers a value of a row': async (suite) => {
    const { browser } = suite;
    await suite.shown('functions.invocation-stats');
    await browser.awaits('.u-legend');
    equal(await browser.run('return [...new Set([...document.querySelectorAll(".u-legend th")].map((name) => getComputedStyle(name, "::after").content))]'), ['none']);
    await suite.shown();
    await browser.click('#cell-0-1');
    const covered = await browser.run(`return [...document.querySelectorAll('.detail .leaf')].filter((leaf) => {
      const [value, actions] = ['.value', '.actions'].map((part) => leaf.querySelector(part).getBoundingClientRect());
      return actions.bottom > value.top + 4 && actions.left < value.right;
    }).length`);
    equal(covered, 0);
  },
};
