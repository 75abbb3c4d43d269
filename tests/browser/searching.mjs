// Steps that flows share when they search rows: how a search is written, and what its rows have.
export const enter = '\uE007';

export const pills = (suite) => suite.browser.texts('.pill-text');

// Writes into the search box and presses Enter.
export async function search(suite, text) {
  await suite.browser.type('#search', text + enter);
}

// Waits for these filters and for the rows that they leave.
export async function filtered(suite, ...expected) {
  await suite.browser.until(`the filters ${expected.join(', ')}`, async () => (await pills(suite)).join() === expected.join());
  await suite.searched();
}

export const status = (row) => row.metadata[0]?.response[0]?.status_code;
export const request = (row) => row.metadata[0]?.request[0];

// The tier whose rows are kept longest.
export const wide = { project_tier: 'ENTERPRISE' };
