// Calls of a program with the generated client; run.mjs compiles it strictly and runs it. Lines under @ts-expect-error must not compile.
import { type LogsAllRow, LogqueryClient, LogqueryError, type Microseconds, toDate, toText, type TypesEchoParameters } from "./client.js";
import { LogqueryClient as BigintClient } from "./bigint_client.js";

function equal(actual: unknown, expected: unknown): void {
  const [a, e] = [actual, expected].map((value) =>
    JSON.stringify(value, (_key, each: unknown) => (typeof each === "bigint" || Number.isNaN(each) ? String(each) : each)),
  );
  if (a !== e) throw new Error(`is ${String(a)}, not ${String(e)}`);
}

async function refusal(call: Promise<unknown>): Promise<LogqueryError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof LogqueryError) return error;
    throw error;
  }
  throw new Error("the call was not refused");
}

export const echoed: TypesEchoParameters = {
  kind: "a b",
  kinds: ["daily", "hourly"],
  at: new Date("2026-03-04T05:45:00.123Z"),
  times: ["2026-03-04T05:45:00.123456Z", new Date(0)],
  day: "1999-12-31",
  ratio: 0.1,
  switched_on: false,
  count: -9223372036854775807n,
  level: 30,
  numbers: [],
  texts: ["a,b", '"quoted" \\ [', "é&=+%\n\u0001", ""],
  url: "^/a+$",
};

export async function builtIn(client: LogqueryClient, project: string): Promise<void> {
  const logs = await client.logsAll({ project, project_tier: "ENTERPRISE" });
  const newest: LogsAllRow | undefined = logs.rows[0];
  equal([logs.rows.length, logs.outdated, logs.revision?.length], [100, false, 16]);
  equal(typeof newest?.timestamp, "number");
  const time: Microseconds | null = newest?.timestamp ?? null;
  equal(toDate(time)?.getTime(), Math.floor(Number(time) / 1000));
  // To the microsecond, and back again.
  equal([toText(1772603100123456), toText(-1), toText(0)],
    ["2026-03-04T05:45:00.123456Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z"]);
  equal([toDate(-1).toISOString(), toDate(null)], ["1969-12-31T23:59:59.999Z", null]);
  equal(typeof newest?.metadata[0]?.request[0]?.method, "string");
  const next = await client.logsAll({ project, project_tier: "ENTERPRISE" }, { cursor: logs.cursor });
  equal(next.rows.length > 0 && next.rows.every((row) => logs.rows.every((other) => other.id !== row.id)), true);

  const counts = await client.usageApiCounts({ project: ".", interval: "daily" });
  const requests: number = counts.rows.reduce((sum, row) => sum + (row.total_rest_requests ?? 0), 0);
  equal(requests > 0, true);

  const stats = await client.functionsInvocationStats({ project, interval: "7day" });
  const row = stats.rows[0];
  equal([typeof row?.timestamp, typeof row?.count], ["number", "number"]);

  const own = await client.logsAllSql({ project, project_tier: "ENTERPRISE" }, "select count(*) as n, 9007199254740993 as big from edge_logs");
  equal([typeof own.rows[0]?.["n"], own.rows[0]?.["big"]], ["number", "9007199254740993"]);
  const longer = await client.logsAllSql({ project }, `select 'x%+é' as text -- ${"y".repeat(20_000)}`);
  equal(longer.rows, [{ text: "x%+é" }]);
  const redacted = await client.logsAllSql({ project }, "select '192.0.2.1' as address", { redactPii: true });
  equal(redacted.rows, [{ address: "REDACTED" }]);
}

export async function types(client: LogqueryClient, bigint: BigintClient): Promise<void> {
  const { rows } = await bigint.typesEcho(echoed);
  const row = rows[0];
  if (row === undefined) throw new Error("there is no row");
  const big: bigint | null = row.big;
  equal([row.kind, row.kinds, row.at, row.times], ["a b", ["daily", "hourly"], 1772603100123000, [1772603100123456, 0]]);
  equal([row.day, row.ratio, row.switched_on, row.count], ["1999-12-31", 0.1, false, -9223372036854775807n]);
  equal([row.level, row.numbers, row.texts, row.url], [30n, [], echoed.texts, "^/a+$"]);
  equal([big, row.price, row.huge, row.raw], [9007199254740993n, "12.5", `1${"0".repeat(38)}`, "AP8="]);
  equal([row.local_time, row.clock, row.document], ["2026-01-31T08:00:00", "08:30:00", { a: [1] }]);
  equal([row.pair, row.pairs], [{ x: 1n, inner_pair: { y: "deep" } }, [{ x: 1n }, { x: 2n }]]);
  equal([row.not_a_number, row.least === -Infinity, row.nothing, row.before_epoch], [NaN, true, null, -1]);

  const inexact = await refusal(client.typesEcho(echoed));
  equal([inexact.code, inexact.status], [200, "UNREADABLE_ANSWER"]);
  equal(inexact.message.startsWith("row 1 of the answer: count is not an integer within 2^53 (-9223372036854775807)"), true);
  const bare = await bigint.readsEcho({ kind: "<=", at: "2026-01-01", texts: [] });
  equal(bare.rows, [{ kind: "<=", texts: [] }]);
}

export async function names(client: LogqueryClient): Promise<void> {
  const { rows } = await client.classQuotedX({ class: '*/ "', constructor: "x", Timestamp: 7, to: "*/" });
  const row = rows[0];
  equal([row?.class, row?.Timestamp, row?.constructor, row?.["weird-name"]], ['*/ "', 7, "x", 3]);
  equal(Object.entries(row ?? {}).find(([key]) => key === "__proto__"), ["__proto__", 1]);
  for (const call of [client.ab(), client.ab_2(), client.aBRow(), client.endpoint(), client.endpoint2fa(), client.client(), client.call(), client.as(), client.constructor_2()]) {
    equal((await call).rows.length, 1);
  }
}

export async function refused(client: LogqueryClient, url: string): Promise<void> {
  const pattern = await refusal(client.usageApiCounts({ project: "(", interval: "daily" }));
  equal([pattern.code, pattern.status, pattern.details.parameter], [400, "INVALID_ARGUMENT", "project"]);
  const sql = await refusal(client.logsAllSql({ project: "a" }, "select idd from edge_logs"));
  equal([sql.details.line, sql.details.nearest], [1, ["id"]]);
  const token = await refusal(new LogqueryClient({ url, token: async () => "lq_nobody" }).logsAll({ project: "a" }));
  equal([token.code, token.status], [401, "UNAUTHENTICATED"]);
  const nowhere = await refusal(new LogqueryClient({ url: "http://127.0.0.1:1", token: "t" }).logsAll({ project: "a" }));
  equal([nowhere.code, nowhere.status], [0, "UNAVAILABLE"]);
  const cancelled = await client.logsAll({ project: "a" }, { signal: AbortSignal.abort() }).catch((error: unknown) => error);
  equal([cancelled instanceof LogqueryError, (cancelled as Error).name], [false, "AbortError"]);
}

export async function unreadable(): Promise<void> {
  const call = (body: string, init: ResponseInit = {}) =>
    new LogqueryClient({ url: "http://nowhere.invalid/", token: "t", fetch: async () => new Response(body, init) }).ab();
  const bodies = ["<html>", "[]", "null", '{"result":{}}', '{"result":[1]}', '{"result":[null]}', '{"result":[{"m":1}]}', '{"result":[{"n":"1"}]}', '{"result":[{"n":1.5}]}', ""];
  for (const body of bodies) equal([body, (await refusal(call(body))).status], [body, "UNREADABLE_ANSWER"]);
  equal((await refusal(call("<html>Bad gateway", { status: 502 }))).code, 502);
  const busy = await refusal(call('{"error":{"status":"X","message":"later","errors":[{"reason":"resourcesExceeded"}]}}', { status: 429, headers: { "Retry-After": "7" } }));
  equal([busy.message, busy.retryAfterSeconds, busy.resourcesExceeded], ["later", 7, true]);
  const other = await call('{"result":[{"n":null,"more":1}]}', { headers: { "Logquery-Revision": "another", "Logquery-Truncated": "true" } });
  equal([other.outdated, other.truncated, other.revision, "cursor" in other], [true, true, "another", false]);
}

export function mustNotCompile(client: LogqueryClient): void {
  // @ts-expect-error: project is missing
  void client.logsAll({});
  // @ts-expect-error: no such interval
  void client.usageApiCounts({ project: "a", interval: "weekly" });
  // @ts-expect-error: no such parameter
  void client.logsAll({ project: "a", projct_tier: "FREE" });
  // @ts-expect-error: a number is no text
  void client.logsAll({ project: 1 });
  // @ts-expect-error: no element of that text
  void client.typesEcho({ ...echoed, kinds: ["weekly"] });
  // @ts-expect-error: this endpoint takes no SQL
  void client.typesEchoSql;
  // @ts-expect-error: the column may be NULL
  void client.usageApiCounts({ project: "a", interval: "daily" }).then(({ rows }) => rows.map((row) => row.timestamp.length));
  // @ts-expect-error: no such column
  void client.usageApiCounts({ project: "a", interval: "daily" }).then(({ rows }) => rows.map((row) => row.totals));
}
