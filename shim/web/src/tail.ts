// Live tail: asks every two seconds for rows that are newer than the newest shown, and puts them on top.
import { computed, signal } from '@preact/signals';
import type { Answer, Call, Row } from './api.ts';
import { run } from './running.ts';
import { callAt, endpointName, failureOf, notice, outcome, rangeParameters, server, selectedRow, shown } from './state.ts';
import { rows as orderedRows } from './table_layout.ts';
import { joinRows, lookFrom, mostRows, unknownRows } from './tail_rows.ts';
import { counted } from './values.ts';

const pause = 2000;

export const tailing = signal(false);

export const canTail = computed(() => {
  return rangeParameters.value !== null && shown.value !== null && shown.value.answer.shape !== null;
});

let timer = 0;

export function stopTail(): void {
  window.clearTimeout(timer);
  tailing.value = false;
}

export async function startTail(): Promise<void> {
  if (outcome.value.state !== 'rows') await run();
  if (!canTail.value) return;
  tailing.value = true;
  timer = window.setTimeout(() => void next(endpointName.value), 0);
}

// The rows since the last look, through all their pages; not `reachesBack` when there are more than are shown at most.
async function look(known: Answer, call: Call): Promise<{ fresh: Row[]; reachesBack: boolean }> {
  const seen: Row[] = [];
  let cursor: string | null = null;
  do {
    const answer: Answer = await server.value.call(call, cursor === null ? {} : { cursor }, AbortSignal.timeout(30000));
    seen.push(...answer.rows);
    cursor = answer.rows.length === 0 ? null : answer.cursor;
  } while (cursor !== null && seen.length < mostRows && tailing.value);
  return cursor === null ? { fresh: unknownRows(seen, known.rows, known.shape), reachesBack: true } : { fresh: seen, reachesBack: false };
}

// Shows `answer` in place of the rows that are there; the row that is open stays open.
function show(answer: Answer): void {
  const now = outcome.value;
  if (now.state !== 'rows') return;
  const opened = selectedRow.value === null ? undefined : orderedRows.value[selectedRow.value];
  outcome.value = { ...now, answer };
  if (opened === undefined) return;
  const place = orderedRows.value.indexOf(opened);
  selectedRow.value = place < 0 ? null : place;
}

async function next(of: string): Promise<void> {
  const above = outcome.value;
  const bounds = rangeParameters.value;
  if (!tailing.value || of !== endpointName.value || bounds === null || above.state !== 'rows') return stopTail();
  try {
    const call = callAt(new Date());
    const from = lookFrom(above.answer.rows, above.answer.asked, above.answer.shape?.time);
    if (from !== null) call.parameters[bounds.start] = new Date(from).toISOString();
    delete call.parameters[bounds.end];
    const asked = Date.now();
    const { fresh, reachesBack } = await look(above.answer, call);
    const now = outcome.value;
    if (!tailing.value || now.state !== 'rows' || now.call !== above.call) return stopTail();
    // Where a page of older rows came meanwhile, its rows are known, too.
    const added = unknownRows(fresh, reachesBack ? now.answer.rows : [], now.answer.shape);
    show(joinRows(now.answer, added, reachesBack, asked));
    if (added.length > 0) notice.value = counted(added.length, 'new row');
  } catch (error) {
    notice.value = `Live tail stopped: ${failureOf(error).message}`;
    return stopTail();
  }
  timer = window.setTimeout(() => void next(of), pause);
}
