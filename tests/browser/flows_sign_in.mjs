// How a person gets in: by a token, by a link with a code that is good once, and out again.
import { equal, holds, lacks, matches } from './check.mjs';

async function codeFor(suite) {
  const made = await suite.call('/api/console/codes', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } });
  equal(made.status, 200);
  return JSON.parse(made.text).code;
}

export const signInFlows = {
  'without a token there is a place for one and no error': async (suite) => {
    await suite.fresh();
    await suite.browser.open(suite.url);
    await suite.browser.awaits('#token');
    equal(await suite.browser.texts('.problem'), []);
    equal(await suite.browser.run('return document.activeElement.id'), 'token');
  },

  'a wrong token is refused in the words of the server': async (suite) => {
    const { browser } = suite;
    await suite.fresh();
    await browser.open(suite.url);
    await browser.type('#token', 'lq_wrong');
    await browser.click('button.primary');
    matches(await browser.awaitText('.problem', /token/), /token/);
    equal(await browser.run('return sessionStorage.getItem("logquery.token")'), '""');
  },

  'a token opens the console, survives a reload, and stands in the session alone': async (suite) => {
    const { browser, token } = suite;
    await suite.fresh();
    await browser.open(suite.url);
    await browser.type('#token', token);
    await browser.click('button.primary');
    await browser.awaits('.query-pane');
    await browser.until('the focus on what is needed first', async () => (await browser.run('return document.activeElement.id')) === 'parameter-project');
    await browser.post('/refresh');
    await browser.awaits('.query-pane');
    const kept = await browser.run('return [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), location.href, document.cookie]');
    lacks(kept[0], new RegExp(token));
    matches(kept[1], new RegExp(token));
    lacks(kept[2], new RegExp(token));
    equal(kept[3], '');
  },

  'a token of all projects is offered those that have rows': async (suite) => {
    const { browser } = suite;
    await suite.signedIn();
    matches(await browser.awaitText('.message', /These have rows/), /Fill in project, then run the query/);
    equal(await browser.texts('.failed, .problem'), []);
    holds((await browser.texts('.projects button')).includes(suite.project), 'the project is listed');
    // The field completes them, too.
    holds((await browser.run('return [...document.querySelectorAll("#parameter-project-examples option")].map((option) => option.value)')).includes(suite.project), 'the field completes it');
    await suite.screenshot('desktop-projects');
    await browser.click(`//ul[@class="projects"]//button[text()="${suite.project}"]`);
    await browser.awaits('.lines .line');
    equal(await browser.run('return document.getElementById("parameter-project").value'), suite.project);
    // A pattern of URLs is no project.
    await browser.click('//button[text()="usage.api-counts"]');
    await browser.awaits('#parameter-interval');
    equal(await browser.run('return document.querySelector("#parameter-project-examples")'), null);
  },

  'a token of one project lists none, and asks for none': async (suite) => {
    const { browser } = suite;
    const one = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--project', suite.project, '--label', 'lists none').trim();
    await suite.callUntil(200, '/api/endpoints', { headers: { 'X-API-KEY': one } });
    equal((await suite.call('/api/projects', { headers: { 'X-API-KEY': one } })).status, 403);
    await suite.fresh();
    await browser.run('sessionStorage.setItem("logquery.token", JSON.stringify(arguments[0]))', one);
    await browser.open(suite.url);
    await browser.awaits('.lines .line');
    equal(await browser.run('return performance.getEntriesByType("resource").filter(({ name }) => name.includes("/api/projects")).length'), 0);
  },

  'signing out forgets the token, what was asked and what was written': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    matches(await browser.run('return localStorage.getItem("logquery.history")'), /endpoint/);
    await browser.click('//button[text()="Sign out"]');
    await browser.awaits('#token');
    lacks(await browser.run('return JSON.stringify({ ...sessionStorage })'), /lq_/);
    equal(await browser.run('return localStorage.getItem("logquery.history")'), '[]');
    lacks(await browser.run('return location.href'), /endpoint=/);
    await browser.post('/refresh');
    await browser.awaits('#token');
  },

  "a link's code opens on rows, and leaves the address": async (suite) => {
    const { browser } = suite;
    await suite.fresh();
    await browser.open(`${suite.link('logs.all', { project_tier: 'FREE' })}&code=${await codeFor(suite)}`);
    await browser.awaits('.lines .line');
    const address = await browser.run('return location.href');
    lacks(address, /code=|lq_/);
    matches(address, /endpoint=logs\.all/);
  },

  'a sign-in link in a tab that has the console asks, then signs in and runs its query': async (suite) => {
    const { browser, token } = suite;
    await suite.shown();
    const other = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--all-projects', '--endpoint', 'usage.api-counts', '--label', 'one').trim();
    const made = await suite.callUntil(200, '/api/console/codes', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json', 'X-API-KEY': other } });
    await browser.run('location.href = arguments[0]', `${suite.link('usage.api-counts', { interval: 'daily' })}&code=${JSON.parse(made.text).code}`);
    await browser.awaits('.question');
    lacks(await browser.run('return location.href'), /code=|lq_/);
    equal(await browser.run('return JSON.parse(sessionStorage.getItem("logquery.token"))'), token);
    await browser.click('//button[text()="Sign in with the link"]');
    await browser.awaitText('h1', /usage\.api-counts/);
    await browser.awaits('.lines .line');
    equal(await browser.texts('.endpoints button'), ['usage.api-counts']);
    lacks(await browser.run('return location.href'), /code=|lq_/);
    equal(await browser.run('return JSON.parse(sessionStorage.getItem("logquery.token"))'), other);
  },

  'a sign-in link that is declined changes nothing': async (suite) => {
    const { browser, token } = suite;
    await suite.shown();
    await browser.run('location.hash = arguments[0]', `code=${await codeFor(suite)}`);
    await browser.click('//button[text()="Stay as I am"]');
    await browser.until('the question gone', () => browser.run('return document.querySelector(".question") === null'));
    equal(await browser.run('return JSON.parse(sessionStorage.getItem("logquery.token"))'), token);
    holds(await browser.find('.lines .line'), 'the rows are still there');
  },

  'a sign-in link that was used leaves an open console as it is, and says so': async (suite) => {
    const { browser, token } = suite;
    const code = await codeFor(suite);
    equal((await suite.call('/api/console/token', { method: 'POST', body: JSON.stringify({ code }), headers: { 'Content-Type': 'application/json' } })).status, 200);
    await suite.shown();
    await browser.run('location.hash = arguments[0]', `code=${code}`);
    await browser.click('//button[text()="Sign in with the link"]');
    matches(await browser.awaitText('.notice', /sign-in link/), /already used/);
    lacks(await browser.run('return location.href'), /code=/);
    equal(await browser.run('return JSON.parse(sessionStorage.getItem("logquery.token"))'), token);
    holds(await browser.find('.lines .line'), 'the rows are still there');
  },

  'a token with a character that cannot be seen is refused for it, and not stored': async (suite) => {
    const { browser, token } = suite;
    await suite.fresh();
    await browser.open(suite.url);
    await browser.type('#token', `${token}\u200b`);
    await browser.click('button.primary');
    matches(await browser.awaitText('.problem', /token/), new RegExp(`Character ${token.length + 1} of the token is U\\+200B`));
    lacks(await browser.run('return JSON.stringify({ ...sessionStorage })'), /lq_/);
    await browser.type('#token', `${token.slice(0, 6)}…`);
    await browser.click('button.primary');
    await browser.awaitText('.problem', /U\+2026/);
    await browser.type('#token', token);
    await browser.click('button.primary');
    await browser.awaits('.query-pane');
  },

  'a code that was used is refused, and says what to do': async (suite) => {
    const { browser } = suite;
    const address = `${suite.link('logs.all')}&code=${await codeFor(suite)}`;
    await suite.fresh();
    await browser.open(address);
    await browser.awaits('.lines .line');
    await suite.fresh();
    await browser.open(address);
    matches(await browser.awaitText('.problem', /sign-in code/), /already used/);
    matches(await browser.text('.entry .hint'), /^Ask whoever sent this link for a token\. Operators make one with logquery token create/);
    await browser.type('#token', suite.token);
    await browser.click('button.primary');
    await browser.until('the focus in the search', () => browser.run('return document.activeElement.id === "search"'));
  },
};
