// Whether a page has room for what is on it: looks at all controls as they stand, and names those that nobody can read or reach.

// Runs in the page. Text in the grid of rows and in lists of values is cut on purpose: its whole stands in a title.
function lookAtPage() {
  const problems = [];
  const width = window.innerWidth;
  const nameOf = (element) => `${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent.trim() ?? '').slice(0, 40)}”`;
  const isSeen = (element) => {
    const { width: wide, height } = element.getBoundingClientRect();
    return wide > 1 && height > 1 && getComputedStyle(element).clipPath === 'none' && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const overflow = document.documentElement.scrollWidth - width;
  if (overflow > 0) problems.push(`the page is ${overflow} px wider than the window`);
  for (const panel of document.querySelectorAll('.panel')) {
    const { left, right } = panel.getBoundingClientRect();
    if (left < 0 || right > width) problems.push(`a menu reaches from ${left} to ${right}`);
  }
  const controls = [...document.querySelectorAll('button, input, select, a[href], .badge, h1, h2')]
    .filter((element) => element.closest('.grid') === null && isSeen(element)).map((element) => ({ element, box: element.getBoundingClientRect() }));
  for (const { element, box } of controls) {
    if (box.left < -0.5 || box.right > width + 0.5) problems.push(`${nameOf(element)} reaches from ${box.left} to ${box.right}`);
    let around = element.parentElement;
    while (around !== null && getComputedStyle(around).overflowX === 'visible') around = around.parentElement;
    const frame = around?.getBoundingClientRect();
    if (frame !== undefined && (box.left < frame.left - 1 || box.right > frame.right + 1)) problems.push(`${nameOf(element)} is cut by its ${around.className}`);
    const mayBeCut = element.matches('input, select, .facet-is, .query, .pill-text');
    if (!mayBeCut && element.scrollWidth > element.clientWidth + 1) problems.push(`${nameOf(element)} shows ${element.clientWidth} of ${element.scrollWidth} px`);
  }
  // What covers a page on purpose: a menu, the sidebar and the detail of a phone, the bar at the top.
  const layerOf = (element) => element.closest('.panel, .sidebar, .detail-pane, .notice-bar, .top');
  controls.forEach((one, at) => {
    for (const other of controls.slice(at + 1)) {
      if (one.element.contains(other.element) || layerOf(one.element) !== layerOf(other.element)) continue;
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (across > 1 && down > 1) problems.push(`${nameOf(one.element)} lies over ${nameOf(other.element)}`);
    }
  });
  return [...new Set(problems)];
}

// Runs in the page. What a finger touches: the label of a box to tick is as good as the box.
function lookAtTargets(least) {
  const targets = [...document.querySelectorAll('button, select, input, .pill, .lines .line, .past-lines .line')].map((element) => element.closest('label') ?? element)
    .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && getComputedStyle(element).clipPath === 'none' && element.closest('.unseen') === null);
  const low = targets.filter((element) => element.getBoundingClientRect().height < least - 0.01);
  const told = (element) => `${element.tagName.toLowerCase()}.${element.className} “${(element.getAttribute('aria-label') ?? element.textContent.trim()).slice(0, 40)}” is ${element.getBoundingClientRect().height} px high`;
  return { count: targets.length, problems: [...new Set(low.map(told))] };
}

// Fails with what is too low for a finger, `where` that is.
export async function checkTargets(browser, where) {
  const { count, problems } = await browser.run(`return (${lookAtTargets})(40)`);
  if (count === 0 || problems.length > 0) throw new Error(`${where}: ${count} targets; ${problems.join('; ')}`);
}

// Fails with what has no room, `where` that is. A chart gets its new width a moment after the page.
export async function checkLayout(browser, where) {
  let problems = [];
  const look = async () => (problems = await browser.run(`return (${lookAtPage})()`)).length === 0;
  await browser.until('room', look, 10_000).catch(() => {
    throw new Error(`${where}: ${problems.join('; ')}`);
  });
}
