// The page at widths from a phone to a large screen: nothing is cut off, lies over something else, or scrolls sideways.
import { holds, matches } from './check.mjs';
import { checkLayout, checkTargets } from './layout.mjs';

const widths = [320, 360, 390, 430, 480, 540, 600, 680, 760, 761, 800, 850, 900, 960, 1024, 1100, 1200, 1280, 1366, 1440, 1600];
const heightAt = (width) => (width <= 500 ? 844 : 800);

// Loads the page in the state at 1280 px, and makes it narrower and wider.
const states = {
  'rows': async (suite) => {
    await suite.browser.open(suite.link('logs.all', { project_tier: 'FREE' }));
    await suite.browser.awaits('.u-over');
  },
  'filters': async (suite) => {
    await suite.browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { q: 'status:>=400 -method:"HEAD" http' }));
    await suite.browser.awaits('.u-over');
    await suite.browser.click('#tab-facets');
    await suite.browser.awaits('[aria-label="Values of path"] .facet-value');
  },
  'SQL beside its translation': async (suite) => {
    const sql = 'select r.path, count(*) as requests from edge_logs as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r group by r.path order by requests desc';
    await suite.browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { sql }));
    await suite.browser.awaits('.verdict b');
    await suite.browser.awaits('.lines .line');
    await suite.browser.click('.as-other');
    await suite.browser.awaits('.rewriting');
  },
  'a row in full': async (suite) => {
    await suite.browser.open(suite.link('logs.all', { project_tier: 'FREE' }));
    await suite.browser.click('#cell-5-0');
    await suite.browser.awaits('.detail');
  },
  'a chart': async (suite) => {
    await suite.browser.open(suite.link('functions.invocation-stats'));
    await suite.browser.awaits('.u-over');
  },
  'an error': async (suite) => {
    await suite.browser.open(suite.link('logs.all', {}, { sql: 'select foo\nfrom edge_logs' }));
    await suite.browser.awaits('.failed');
  },
};

// The bar at the top is fullest with a token for one project.
async function signInForProject(suite, theme) {
  const token = suite.logquery('token', 'create', '--tokens', 'tokens.json', '--project', suite.project, '--label', `widths in ${theme}`).trim();
  await suite.callUntil(200, '/api/endpoints', { headers: { 'X-API-KEY': token } });
  await suite.fresh();
  await suite.browser.run('sessionStorage.setItem("logquery.token", JSON.stringify(arguments[0])); localStorage.setItem("logquery.theme", JSON.stringify(arguments[1]))', token, theme);
}

async function checkWidths(suite, theme, all) {
  const { browser } = suite;
  await signInForProject(suite, theme);
  for (const [state, go] of Object.entries(states)) {
    await browser.resize(1280, 800);
    await go(suite);
    matches(await browser.text('.top .badge'), new RegExp(`project ${suite.project}`));
    for (const width of all) {
      await browser.resize(width, heightAt(width));
      await checkLayout(browser, `${state} in ${theme} at ${width} px`);
      if ([320, 761, 900].includes(width)) await suite.screenshot(`width-${width}-${theme}-${state.replaceAll(/\W+/g, '-')}`);
    }
  }
}

export const layoutFlows = {
  'everything has room at every width in light': (suite) => checkWidths(suite, 'light', widths),
  'everything has room in dark, too': (suite) => checkWidths(suite, 'dark', [320, 390, 600, 761, 900, 1280, 1600]),

  'a menu opens inside the page at every width': async (suite) => {
    const { browser } = suite;
    await suite.shown();
    await browser.awaits('.u-over');
    for (const width of [320, 600, 761, 850, 1100]) {
      await browser.resize(width, heightAt(width));
      for (const menu of ['[title="Time range"]', '[title="How to search"]', '.results-bar .menu button',
        ...['Examples', 'Code', 'Link', 'Save', 'Chart', 'Columns', 'Download', 'Keys', 'Theme'].map((text) => `//button[text()="${text}"]`)]) {
        await browser.click(menu);
        await browser.awaits('.panel');
        await checkLayout(browser, `${menu} at ${width} px`);
        await browser.press('\uE00C');
        await browser.run('document.activeElement.blur()');
        await browser.until('a closed menu', async () => (await browser.texts('.panel')).length === 0);
      }
    }
  },

  'on a phone a finger reaches every button, filter and row': async (suite) => {
    const { browser } = suite;
    await signInForProject(suite, 'light');
    const look = async (where) => {
      await checkTargets(browser, `${where} on a phone`);
      await checkLayout(browser, `${where} on a phone`);
    };
    for (const [state, go] of Object.entries(states)) {
      await browser.resize(1280, 800);
      await go(suite);
      await browser.resize(390, 844);
      await look(state);
    }
    await browser.open(suite.link('logs.all', { project_tier: 'FREE' }, { q: 'status:>=400 http' }));
    await browser.awaits('.u-over');
    await look('filters and rows');
    for (const menu of ['[title="Time range"]', '[title="How to search"]', '.results-bar .menu button', ...['Examples', 'Code', 'Link', 'Save', 'Chart', 'Columns', 'Download', 'Theme'].map((text) => `//button[text()="${text}"]`)]) {
      await browser.click(menu);
      await browser.awaits('.panel');
      if (menu.includes('Examples')) await browser.until('the examples', async () => (await browser.texts('.examples .hint')).length === 0);
      await look(menu);
      await browser.press('\uE00C');
      await browser.run('document.activeElement.blur()');
      await browser.until('a closed menu', async () => (await browser.texts('.panel')).length === 0);
    }
    for (const tab of ['browse', 'facets', 'saved', 'history']) {
      await browser.click('.only-narrow');
      await browser.awaits('.sidebar.open');
      await browser.click(`#tab-${tab}`);
      if (tab === 'browse') await browser.click('[aria-label="Fields of edge_logs"]');
      await browser.awaits({ browse: '.sidebar .tree ul li', facets: '[aria-label="Values of path"] .facet-value', saved: '.sidebar .hint', history: '.queries .query' }[tab]);
      await look(`the sidebar's ${tab}`);
      await suite.screenshot(`phone-light-${tab}`);
      await browser.click('.only-narrow');
      await browser.until('a closed sidebar', async () => (await browser.texts('.sidebar.open')).length === 0);
    }
    await browser.click('#cell-0-1');
    await browser.awaits('.detail');
    await browser.run('document.querySelector(`[aria-label="More filters on metadata.response.status_code"]`).click()');
    await browser.awaits('.more-actions');
    await look('what a value offers');
    await suite.screenshot('phone-light-detail');
    await browser.click('[aria-label="Close the row"]');
    await suite.fresh();
    await browser.open(suite.url);
    await browser.awaits('#token');
    await look('the entry');
  },

  'the widest sidebar leaves room for the query': async (suite) => {
    const { browser } = suite;
    await suite.signedIn();
    await browser.run('localStorage.setItem("logquery.sidebar", "560")');
    await browser.open(suite.link('logs.all', { project_tier: 'FREE' }));
    await browser.awaits('.u-over');
    for (const width of widths.filter((one) => one > 760)) {
      await browser.resize(width, 800);
      await checkLayout(browser, `a sidebar of 560 px at ${width} px`);
      holds(await browser.run('return document.querySelector("main").offsetWidth > innerWidth / 2'), `the query has more than half of ${width} px`);
    }
  },
};
