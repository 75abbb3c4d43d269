// Queries that the server keeps: saved by one person, opened by another, changed by two at a time, deleted, and left without their
// endpoint.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { equal, holds, lacks, matches } from './check.mjs';
import { axe } from './flows_page.mjs';
import { keys } from './webdriver.mjs';

// Runs `flow` with a server that keeps queries in a folder of its own, and with tokens of the project: Ann and Carl may save, Bob may
// not.
async function withPeople(suite, name, flow) {
  const make = (label, ...more) => suite.logquery('token', 'create', '--tokens', 'tokens.json', '--project', suite.project, '--label', label, ...more).trim();
  const people = { ann: make('ann', '--may-save'), carl: make('carl', '--may-save'), bob: make('bob'), root: suite.token };
  const folder = path.join(suite.work, `kept-${name}`);
  rmSync(folder, { recursive: true, force: true });
  const { token } = suite;
  await suite.withServer(`data-saved-${name}`, ['--saved', folder], async () => {
    try {
      for (const one of Object.values(people)) {
        suite.token = one;
        await suite.callUntil(200, '/api/endpoints');
      }
      suite.token = people.ann;
      await flow(people, folder);
    } finally {
      suite.token = token;
    }
  });
}

// Saves what the editor has for the project, and returns what the page says.
async function saveForProject(suite, name, description = '') {
  const { browser } = suite;
  await browser.click('//button[text()="Save"]');
  await browser.click(`//label[normalize-space()="On the server, for ${suite.project}"]/input`);
  await browser.type('#save-name', name);
  if (description !== '') await browser.type('#save-description', description);
  await browser.press(keys.enter);
}

const put = (suite, name, sql, revision) => suite.call(`/api/saved/${name}`, { method: 'PUT', headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ endpoint: 'logs.all', sql, ...(revision === undefined ? {} : { revision }) }) });

export const savedFlows = {
  'a query is saved on the server and opened by somebody else, who may not change it': async (suite) => {
    const { browser } = suite;
    await withPeople(suite, 'shared', async (people) => {
      await suite.shown('logs.all', {}, { sql: 'select count(*) as kept from auth_logs' });
      await saveForProject(suite, 'auth by count', 'How many sign-ins');
      await browser.awaitText('.notice', new RegExp(`Saved as auth by count, for ${suite.project}`));
      await browser.click('#tab-saved');
      await browser.awaits('//ul[@aria-label="On the server"]//span[text()="auth by count"]');

      suite.token = people.bob;
      await suite.signedIn();
      await browser.click('#tab-saved');
      matches(await browser.awaitText('[aria-label="On the server"]', /auth by count/), /by ann · logs\.all · \d/);
      equal(await browser.run('return document.querySelectorAll("[aria-label^=Delete]").length'), 0);
      await browser.click('//ul[@aria-label="On the server"]//span[text()="auth by count"]');
      await browser.awaitText('.notice', /Opened auth by count, revision 1, saved by ann at /);
      // It is written, and runs when somebody says so.
      equal(await suite.sqlText(), 'select count(*) as kept from auth_logs');
      holds(!(await browser.texts('.head button')).includes('kept'), 'the query has not run');
      await browser.click('button.run');
      await browser.until('the column kept', async () => (await browser.texts('.head button')).join() === 'kept');
      await browser.click('//button[text()="Save"]');
      matches(await browser.awaitText('form.save', /Name/), /This token may not save on the server/);
      equal(await browser.run('return document.querySelectorAll("[name=save-place]").length'), 0);
    });
  },

  'a change that comes second is told who was first, and replaces nothing unasked': async (suite) => {
    const { browser } = suite;
    await withPeople(suite, 'conflict', async (people) => {
      equal((await put(suite, 'counts', 'select count(*) as first from auth_logs')).status, 200);
      await suite.shown('logs.all', {}, {});
      await browser.click('#tab-saved');
      await browser.click('//ul[@aria-label="On the server"]//span[text()="counts"]');
      await browser.awaitText('.notice', /Opened counts, revision 1/);
      suite.token = people.carl;
      equal((await put(suite, 'counts', 'select count(*) as second from auth_logs', 1)).status, 200);
      await suite.writeSql('select count(*) as third from auth_logs');
      await browser.click('//button[text()="Save"]');
      // The form knows what was opened.
      equal(await browser.run('return [document.getElementById("save-name").value, document.querySelector("[name=save-place]:checked").parentElement.textContent.trim()]'),
        ['counts', `On the server, for ${suite.project}`]);
      await browser.click('form.save button.primary');
      matches(await browser.awaitText('.conflict', /another query/), new RegExp(`^There is another query of this name for ${suite.project}: revision 2, saved by carl at [-0-9]+ [0-9:]+ UTC\\. Nothing was saved\\.`));
      equal(JSON.parse((await suite.call('/api/saved/counts')).text).sql, 'select count(*) as second from auth_logs');
      equal(await suite.sqlText(), 'select count(*) as third from auth_logs');
      await axe(suite, 'a conflict');
      await suite.screenshot('saved-conflict');
      await browser.click('//button[normalize-space()="Replace revision 2"]');
      await browser.awaitText('.notice', /Saved as counts/);
      const now = JSON.parse((await suite.call('/api/saved/counts')).text);
      equal([now.revision, now.sql, now.saved_by], [3, 'select count(*) as third from auth_logs', 'ann']);
      // A new query of a name that is taken is refused, too, and another name is not.
      await suite.shown('logs.all', {}, { sql: 'select count(*) as mine from auth_logs' });
      await saveForProject(suite, 'counts');
      await browser.awaitText('.conflict', /revision 3, saved by ann/);
      await browser.type('#save-name', 'counts 2');
      await browser.until('no conflict any more', async () => (await browser.texts('.conflict')).length === 0);
      await browser.click('form.save button.primary');
      await browser.awaitText('.notice', /Saved as counts 2/);
    });
  },

  'a saved query of the server is deleted after a question, and one without its endpoint says so': async (suite) => {
    const { browser } = suite;
    await withPeople(suite, 'deleted', async (people, folder) => {
      for (const name of ['gone', 'there']) equal((await put(suite, name, 'select count(*) as n from auth_logs')).status, 200);
      const file = path.join(folder, 'projects', suite.project, 'gone.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"logs.all"', '"logs.old"'));
      await suite.signedIn();
      await browser.click('#tab-saved');
      matches(await browser.awaitText('[aria-label="On the server"]', /there/), /the endpoint logs\.old is not on this server any more/);
      equal(await browser.run('return [...document.querySelectorAll("[aria-label=\\"On the server\\"] .query")].map((button) => button.disabled)'), [true, false]);
      await axe(suite, 'queries of the server');
      await suite.screenshot('saved-queries');
      await browser.click('[aria-label="Delete there"]');
      await browser.click(`[aria-label="Delete there for ${suite.project}"]`);
      await browser.awaitText('.notice', /Deleted there/);
      await browser.until('one query', async () => (await browser.texts('[aria-label="On the server"] .title')).join() === 'gone');
      // A query that somebody has changed meanwhile stays.
      equal((await put(suite, 'new', 'select count(*) as n from auth_logs')).status, 200);
      await browser.click('#tab-browse');
      await browser.click('#tab-saved');
      await browser.awaits('[aria-label="Delete new"]');
      suite.token = people.carl;
      equal((await put(suite, 'new', 'select count(*) as m from auth_logs', 1)).status, 200);
      await browser.click('[aria-label="Delete new"]');
      await browser.click(`[aria-label="Delete new for ${suite.project}"]`);
      await browser.awaitText('.notice', /new was not deleted: it has changed meanwhile, revision 2, saved by carl/);
      equal((await suite.call('/api/saved/new')).status, 200);
    });
  },

  'a token for all projects saves a query for one of them or for all': async (suite) => {
    const { browser } = suite;
    await withPeople(suite, 'all', async (people) => {
      suite.token = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--all-projects', '--label', 'operator', '--may-save').trim();
      await suite.callUntil(200, '/api/endpoints');
      await suite.shown('logs.all', {}, { sql: 'select count(*) as everywhere from auth_logs' });
      await browser.click('//button[text()="Save"]');
      equal(await browser.texts('.save .choices label'), ['In this browser', `On the server, for ${suite.project}`, 'On the server, for all projects']);
      await browser.click('//label[normalize-space()="On the server, for all projects"]/input');
      await browser.type('#save-name', 'everywhere');
      await browser.press(keys.enter);
      await browser.awaitText('.notice', /Saved as everywhere, for all projects/);
      suite.token = people.ann;
      await suite.signedIn();
      await browser.click('#tab-saved');
      await browser.awaitText('[aria-label="On the server"]', /everywhere.*by operator · logs\.all · for all projects/s);
      // Ann may open it, and not delete it.
      lacks(await browser.run('return document.querySelector("[aria-label=\\"On the server\\"]").innerHTML'), /Delete/);
    });
  },

  'a server that keeps no queries offers the browser alone': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select count(*) as n from auth_logs' });
    await browser.click('//button[text()="Save"]');
    matches(await browser.awaitText('form.save', /Name/), /Saved queries stay in this browser\./);
    equal(await browser.run('return document.querySelectorAll("[name=save-place]").length'), 0);
    equal(await browser.run('return performance.getEntriesByType("resource").filter((entry) => entry.name.includes("/api/saved")).length'), 0);
  },
};
