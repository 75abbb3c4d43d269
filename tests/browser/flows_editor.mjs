// Writing SQL: the editor with its completion, what is underlined, and the sandbox's verdict.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { equal, matches } from './check.mjs';
import { keys } from './webdriver.mjs';

const suggestions = (suite) => suite.browser.run(`return [...document.querySelector('.editor').shadowRoot
  .querySelectorAll('.cm-completionLabel')].map((label) => label.textContent)`);

async function suggestedFor(suite, text, expected) {
  await suite.writeSql('');
  const content = await suite.browser.inside('.editor', '.cm-content');
  await suite.browser.post(`/element/${content}/click`);
  await suite.browser.press(...text);
  await suite.browser.until(`the suggestion ${expected} for ${text}`, async () => (await suggestions(suite)).includes(expected));
}

const underlined = (suite) => suite.browser.run(`return document.querySelector('.editor').shadowRoot
  .querySelector('.cm-lintRange-error')?.textContent ?? ''`);

export const editorFlows = {
  'SQL stays with its endpoint': async (suite) => {
    const { browser } = suite;
    await suite.shown('logs.all', {}, { sql: 'select count(*) as n from auth_logs' });
    await browser.click('//button[text()="functions.invocation-stats"]');
    await browser.until('an empty editor', async () => (await suite.sqlText()) === '');
    await browser.click('button.run');
    await browser.awaits('.lines .line');
    await browser.click('//button[text()="logs.all"]');
    await browser.until('the SQL of before', async () => (await suite.sqlText()) === 'select count(*) as n from auth_logs');
  },

  'SQL stays while the history opens an endpoint that takes none': async (suite) => {
    const { browser } = suite;
    const folder = path.join(suite.work, 'definitions');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'edge.newest.sql'), 'select timestamp, id, event_message from `cloudflare.logs.prod` order by timestamp desc, id limit 5');
    writeFileSync(path.join(folder, 'edge.newest.json'), JSON.stringify({ id: '0b3f1c52-4a7e-4d0a-8f65-2f4b6c1d9e70', name: 'edge.newest',
      description: 'The newest rows.', max_rows: 5, caching: 60, query_sandboxing: false, redact_pii: false, parameters: [] }));
    await suite.withServer('data-definitions', ['--endpoints', folder], async () => {
      await suite.shown('edge.newest');
      await browser.click('//button[text()="logs.all"]');
      await browser.awaits('.editor');
      await suite.writeSql('select count(*) as mine from auth_logs');
      await browser.click('#tab-history');
      await browser.click('.queries .query');
      await browser.awaitText('h1', /edge\.newest/);
      await browser.awaits('.lines .line');
      await browser.click('#tab-browse');
      await browser.click('//button[text()="logs.all"]');
      await browser.until('an editor', async () => (await browser.texts('.editor')).length === 1);
      // The verdict comes after the editor has taken what it is to take.
      await browser.awaitText('.verdict.allowed', /Allowed/);
      equal(await suite.sqlText(), 'select count(*) as mine from auth_logs');
    });
  },

  'completion offers logs, columns, nested fields, functions and parameters': async (suite) => {
    await suite.shown();
    await suggestedFor(suite, 'select id from edge_', 'edge_logs');
    await suggestedFor(suite, 'select timestamp_tr', 'timestamp_trunc');
    await suggestedFor(suite, 'select id from edge_logs where timestamp > @iso', '@iso_timestamp_start');
    await suggestedFor(suite, 'select 1 from edge_logs t cross join unnest(t.metadata) m where m.', 'request');
  },

  'the editor can be used before its code has started, and gets the focus then': async (suite) => {
    const { browser } = suite;
    await suite.fresh();
    await browser.run('sessionStorage.setItem("logquery.token", JSON.stringify(arguments[0]))', suite.token);
    // The moment at which the page has an editor comes before its code.
    const source = `new MutationObserver((_, observer) => {
      const editor = document.querySelector('.editor');
      if (editor === null) return;
      observer.disconnect();
      window.textBefore = editor.shadowRoot === null ? editor.textContent : null;
      editor.focus();
    }).observe(document, { subtree: true, childList: true });`;
    const { identifier } = await browser.cdp('Page.addScriptToEvaluateOnNewDocument', { source });
    await browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { sql: 'select 1 as one' }));
    await browser.awaits('.editor');
    await browser.cdp('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    equal(await browser.run('return window.textBefore'), 'select 1 as one');
    await browser.until('the focus in the editor', () => browser.run('return document.querySelector(".editor").shadowRoot?.activeElement?.classList.contains("cm-content") === true'));
    equal(await suite.sqlText(), 'select 1 as one');
    await browser.press([keys.control, keys.end], ...' limit 5');
    await browser.until('what was written', async () => (await suite.sqlText()) === 'select 1 as one limit 5');
  },

  'Enter begins a new line where an alias was named and where a suggestion is the word written': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    // Slowly enough that a list of suggestions would be there, and could be taken.
    const write = async (text) => {
      await suite.writeSql('');
      await browser.post(`/element/${await browser.inside('.editor', '.cm-content')}/click`);
      await browser.press(...text);
    };
    const pause = async () => {
      const begin = await browser.run('return performance.now()');
      await browser.until('the moment of reading', () => browser.run('return performance.now() > arguments[0] + 600', begin));
    };
    await write('select t.id from edge_logs as t');
    await pause();
    equal(await suggestions(suite), []);
    await browser.press(keys.enter, ...'where');
    await pause();
    // The only word that begins this way is the one that is written.
    equal(await suggestions(suite), []);
    await browser.press(keys.enter, ...'t');
    await browser.until('suggestions', async () => (await suggestions(suite)).includes('t'));
    await pause();
    await browser.press(keys.enter, '1');
    equal(await suite.sqlText(), 'select t.id from edge_logs as t\nwhere\nt\n1');
  },

  'an error is underlined where it is, and the run shows what the server says': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await suite.writeSql('select timestamp, foo from edge_logs');
    matches(await browser.awaitText('.verdict.refused', /foo/), /unknown name foo at line 1, column 19/);
    await browser.until('the underlined word', async () => (await underlined(suite)) === 'foo');
    await browser.click('button.run');
    matches(await browser.text('.failed h2'), /400/);
    matches(await browser.text('.verdict.refused pre'), /foo[^]*\^/);
    // The message is on the page once, as an alert; the top bar says only that the run failed.
    equal(await browser.run(`return [...document.querySelectorAll('body *')].filter((element) => element.children.length <= 1 && element.textContent.includes('unknown name foo'))
      .map((element) => element.closest('[role]')?.getAttribute('role'))`), ['alert']);
    equal(await browser.text('.notice'), 'Failed');
    equal(await browser.run('return document.querySelector(".brand").scrollWidth <= document.querySelector(".brand").clientWidth'), true);
    matches(await browser.text('.failed .hint'), /^Request [0-9a-f]{32}$/);
    await suite.writeSql('select timestamp from edge_logs limit 3');
    await browser.until('no underlined word', async () => (await underlined(suite)) === '');
  },

  'the verdict says what SQL reads and calls, and where it runs': async (suite) => {
    await suite.shown('logs.all', {}, { sql: 'select upper(event_message) as m from auth_logs limit 2' });
    const verdict = await suite.browser.awaitText('.verdict.allowed', /Allowed/);
    matches(verdict, /reads auth_logs \(\d+ columns?\).*calls UPPER$/);
  },

  'SQL that leaves the sandbox is refused before it runs': async (suite) => {
    await suite.shown();
    await suite.writeSql('select * from information_schema.tables');
    matches(await suite.browser.awaitText('.verdict.refused', /Refused/), /can't be read here/);
  },
};
