// The address of the page and the browser's history: an entry for each view and each query that ran, so that Back and Forward move
// between them, and on a narrow screen one for what covers the page, so that Back closes it.

export type Cover = 'row' | 'sidebar';

interface Place {
  // Whether the query of the address ran: Back then runs it again.
  ran: boolean;
  cover: Cover | null;
}

const narrow = window.matchMedia('(max-width: 760px)');

// The fragment that the page shows; while the browser moves, the address is another one already.
let shown = location.hash;
let leaving: Promise<void> | null = null;

// A link that somebody opened has no state: its query is to run.
function placeNow(): Place {
  const state = window.history.state as Partial<Place> | null;
  return { ran: state?.ran ?? true, cover: state?.cover ?? null };
}

export const place = placeNow;

// Names the view anew, in the entry that is there.
export function rename(fragment: string, ran: boolean): void {
  shown = fragment;
  window.history.replaceState({ ran, cover: null }, '', fragment === '' ? location.pathname : fragment);
}

// Begins a new entry for the view, unless the last one is the same view or only what covered the page.
export async function enter(fragment: string, ran: boolean): Promise<void> {
  if (leaving !== null) await leaving;
  if (placeNow().cover !== null || fragment === shown) return rename(fragment, ran);
  shown = fragment;
  window.history.pushState({ ran, cover: null }, '', fragment);
}

export function cover(by: Cover): void {
  if (!narrow.matches) return;
  const here = placeNow();
  const state = { ...here, cover: by };
  if (here.cover === null) window.history.pushState(state, '');
  else window.history.replaceState(state, '');
}

// Takes the entry of what covered the page away, as its own button closed it.
export function uncover(by: Cover): void {
  if (placeNow().cover !== by || leaving !== null) return;
  leaving = new Promise((resolve) => {
    window.addEventListener('popstate', () => {
      leaving = null;
      resolve();
    }, { once: true });
  });
  window.history.back();
}

// Calls `follow` when the browser has moved: with the new fragment, or with null if only a cover went or came.
export function onMove(follow: (fragment: string | null) => void): void {
  // A page that is loaded again has nothing over it.
  window.history.replaceState({ ...placeNow(), cover: null }, '');
  window.addEventListener('popstate', () => {
    const moved = location.hash !== shown;
    shown = location.hash;
    follow(moved ? shown : null);
  });
}
