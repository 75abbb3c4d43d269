// Calls of a program with the client that openapi-ts makes of the document; run.mjs compiles it strictly and runs it.
import { createClient, createConfig } from "./client/client/index.js";
import * as api from "./client/sdk.gen.js";
import type { LogsAllRow, UsageApiCountsRow } from "./client/types.gen.js";

function equal(actual: unknown, expected: unknown): void {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`is ${String(a)}, not ${String(e)}`);
}

// An endpoint that takes SQL answers a dry run with a verdict.
function rowsOf<Row>(data: { result: Row[] } | { allowed: boolean }): Row[] {
  if (!("result" in data)) throw new Error("a verdict in the place of rows");
  return data.result;
}

export async function callAll(url: string, token: string, project: string): Promise<void> {
  const client = createClient(createConfig({ baseUrl: url, auth: token }));

  const counts = await api.getUsageApiCounts({ client, query: { project, interval: "daily" }, throwOnError: true });
  const rows = rowsOf(counts.data) as UsageApiCountsRow[];
  const direct = await fetch(`${url}/api/endpoints/query/usage.api-counts?project=${project}&interval=daily`, { headers: { "X-API-KEY": token } });
  equal(counts.data, await direct.json());
  equal(rows.length > 0 && rows.every((row) => typeof row.total_rest_requests === "number"), true);

  const logs = await api.getLogsAll({ client, query: { project, project_tier: "ENTERPRISE" }, throwOnError: true });
  const newest = rowsOf(logs.data)[0] as LogsAllRow;
  equal([rowsOf(logs.data).length, typeof newest.timestamp, typeof newest.id], [100, "number", "string"]);

  const sql = "select count(*) as n, 'x%+é' as text from edge_logs";
  const own = await api.postLogsAll({ client, body: { project, project_tier: "ENTERPRISE", sql }, throwOnError: true });
  const answered = rowsOf(own.data)[0] as { n: number; text: string };
  equal([answered.n > 0, answered.text], [true, "x%+é"]);

  // Every type of parameter, in the URL and in a body.
  const values = { texts: ["a", "b"], kinds: ["daily", "hourly"] as const, numbers: [1, 2], day: "1999-12-31", ratio: 0.5, switched_on: false, level: 30 as const };
  const sent = { ...values, kinds: [...values.kinds], kind: "a b" as const, url: "^/a+$", at: "2026-03-04T05:45:00Z" };
  const got = await api.getTypesEcho({ client, query: sent, throwOnError: true });
  const posted = await api.postTypesEcho({ client, body: sent, throwOnError: true });
  equal(got.data.result.length, 1);
  equal(posted.data, got.data);

  const refused = await api.getUsageApiCounts({ client, query: { project, interval: "yearly" as "daily" } });
  equal([refused.response.status, refused.error?.error.code, refused.error?.error.status], [400, 400, "INVALID_ARGUMENT"]);
  const unknown = await api.getUsageApiCounts({ client, query: { project, interval: "daily" }, auth: "lq_wrong" });
  equal(unknown.response.status, 401);
}
