// The queries of self-hosted Studio's pages, built as its code builds them: the same clauses in the same order, from tables of logs,
// joins and filters. Each page is a list of SQL texts.

// [join, alias] of each log's records, the conditions that colour its chart, and the filters that its page offers.
const request = ['m.request', 'request'];
const response = ['m.response', 'response'];
const metadata = ['metadata', 'm'];
const parsed = ['m.parsed', 'parsed'];
const search = "regexp_contains(event_message, 'checkpoint|GET')";
const statusFilters = [
  'response.status_code between 500 and 599', 'response.status_code between 200 and 299', 'response.status_code between 400 and 499',
];
const authFailed = "ifnull(metadata.level, '') in ('error', 'fatal') or ifnull(safe_cast(metadata.status as int64), 0) >= 500";
const authWarned = "ifnull(metadata.level, '') = 'warning' or ifnull(safe_cast(metadata.status as int64), 0) between 400 and 499";

export const logs = {
  edge_logs: {
    columns: 'id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code',
    hosted: 'id, identifier, timestamp, event_message, request.method, request.path, request.search, response.status_code',
    joins: [metadata, request, response],
    failed: 'response.status_code >= 500',
    warned: 'response.status_code >= 400 and response.status_code < 500',
    filters: [search, "identifier = 'default'", ...statusFilters, "request.path like '/rest/%' or request.path like '/graphql/%'",
      "request.path like '/storage/%'", "request.path like '/auth/%'", "request.method = 'GET'", "request.method = 'OPTIONS'"],
  },
  postgres_logs: {
    columns: 'postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, parsed.hint',
    hosted: 'identifier, postgres_logs.timestamp, id, event_message, parsed.error_severity, parsed.detail, parsed.hint',
    joins: [metadata, parsed],
    failed: "parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')",
    warned: "parsed.error_severity in ('WARNING')",
    filters: [search, "identifier = 'default'", "parsed.error_severity not in ('ERROR', 'FATAL', 'PANIC')", "parsed.error_severity = 'LOG'"],
  },
  function_logs: {
    columns: 'id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.execution_id, metadata.level',
    joins: [['metadata', 'metadata']],
    failed: "metadata.level in ('error', 'fatal')",
    warned: "metadata.level in ('warning')",
    filters: [search, "metadata.level = 'error'", "metadata.level != 'error'", "metadata.level = 'info'"],
  },
  function_edge_logs: {
    columns: 'id, function_edge_logs.timestamp, event_message',
    hosted: 'id, function_edge_logs.timestamp, event_message, response.status_code, request.method, request.pathname, m.function_id, '
      + 'm.execution_id, m.execution_time_ms, m.deployment_id, m.version',
    joins: [metadata, response, request],
    plain: true,
    failed: 'response.status_code >= 500',
    warned: 'response.status_code >= 400 and response.status_code < 500',
    filters: [search, ...statusFilters],
  },
  auth_logs: {
    columns: 'id, auth_logs.timestamp, event_message, metadata.level, metadata.status, metadata.path, metadata.msg as msg, metadata.error',
    joins: [['metadata', 'metadata']],
    failed: authFailed,
    warned: authWarned,
    filters: [search, authFailed, `not (${authFailed}) and not (${authWarned})`, 'cast(metadata.status as int64) between 200 and 299',
      'regexp_contains(metadata.path, "/token|/authorize|/callback|/otp|/magiclink")'],
  },
  auth_audit_logs: {}, realtime_logs: {}, storage_logs: {}, pgbouncer_logs: {}, pg_upgrade_logs: {},
  postgrest_logs: { filters: [search, "identifier = 'default'"] },
  supavisor_logs: { joins: [metadata], filters: [search, "m.project like 'default%'"] },
  etl_replication_logs: { filters: [search, 'pipeline_id = 7'] },
  multigres_logs: {
    failed: "json_value(event_message, '$.level') in ('ERROR', 'FATAL', 'PANIC')",
    warned: "json_value(event_message, '$.level') in ('WARN', 'WARNING')",
    withoutMetadata: true,
  },
};

const cron = "( parsed.application_name = 'pg_cron' or event_message::text LIKE '%cron job%' )";
const joinsOf = (log) => (log.joins ?? []).map(([record, alias]) => `cross join unnest(${record}) as ${alias}`).join('\n  ');
const whereOf = (condition) => (condition ? `where (${condition})` : '');

function rowsQuery(name, columns, joins, where, limit = 100) {
  return `\n-- ${name}\nselect ${columns}\nfrom ${name}\n${joins}\n${where}\norder by timestamp desc\nlimit ${limit};\n`;
}

function chartQuery(name, log, joins, where, start, unit) {
  const failed = log.failed ?? 'false';
  const warned = log.warned ?? 'false';
  return `\nSELECT\n-- chart\n  timestamp_trunc(t.timestamp, ${unit}) as timestamp,\n`
    + `  count(CASE WHEN NOT (${failed} OR ${warned}) THEN 1 END) as ok_count,\n  count(CASE WHEN ${failed} THEN 1 END) as error_count,\n`
    + `  count(CASE WHEN ${warned} THEN 1 END) as warning_count,\nFROM\n  ${name} t\n  ${joins}\n`
    + `  ${where ? `${where} and` : 'where'} t.timestamp > '${start}'\nGROUP BY\ntimestamp\nORDER BY\n  timestamp ASC\n  `;
}

// The page of one log: its rows, with each filter, their number, and its chart in each unit.
export function previewQueries(name, start) {
  const log = logs[name];
  const joins = joinsOf(log);
  const columns = log.columns ?? `id, ${name}.timestamp, event_message`;
  const queries = { rows: [rowsQuery(name, columns, log.plain ? '' : joins, '')], count: [], chart: [], filtered: [] };
  if (log.hosted) queries.rows.push(rowsQuery(name, log.hosted, joins, ''));
  queries.count.push(`SELECT count(*) as count FROM ${name} ${joins} `);
  for (const unit of ['minute', 'hour', 'day']) queries.chart.push(chartQuery(name, log, joins, '', start, unit));
  for (const filter of log.filters ?? [search]) {
    const where = whereOf(filter);
    queries.filtered.push(rowsQuery(name, log.plain ? log.hosted : columns, joins, where), `SELECT count(*) as count FROM ${name} ${joins} ${where}`,
      chartQuery(name, log, joins, where, start, 'minute'));
  }
  return queries;
}

// Jobs of pg_cron are rows of postgres_logs.
export function cronQueries(start) {
  const joins = joinsOf(logs.postgres_logs);
  return [
    `select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.query\nfrom postgres_logs\n${joins}\nwhere ${cron}\norder by timestamp desc\nlimit 100\n`,
    `SELECT count(*) as count FROM postgres_logs ${joins} where ${cron}`,
    chartQuery('postgres_logs', logs.postgres_logs, joins, `where ${cron}`, start, 'minute'),
  ];
}

export function oneRowQuery(name, id) {
  return `select id, timestamp, event_message${logs[name].withoutMetadata ? '' : ', metadata'} from ${name} where id = '${id}' limit 1`;
}

const apiJoins = 'cross join unnest(metadata) as m\n cross join unnest(m.response) as response\n cross join unnest(m.request) as request\n'
  + ' cross join unnest(request.headers) as headers';
const hourly = 'cast(timestamp_trunc(t.timestamp, hour) as datetime) as timestamp';
const routes = 'request.path as path, request.method as method, request.search as search, response.status_code as status_code, count(t.id) as count';
const byRoute = 'group by request.path, request.method, request.search, response.status_code order by';
const functionJoins = 'cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response '
  + 'cross join unnest(response.headers) as h';

// The report pages: API, storage, authentication, edge functions.
export function reportQueries(start, end) {
  const mb = (headers) => `coalesce(safe_divide(sum(cast(coalesce(${headers}.content_length, "0") as int64)), 1000000), 0)`;
  const stored = 'cross join unnest(f.metadata) as m cross join unnest(m.request) as r cross join unnest(m.response) as res cross join unnest(res.headers) as h';
  return [
    `-- requests\nselect ${hourly}, count(t.id) as count FROM edge_logs t ${apiJoins} GROUP BY timestamp ORDER BY timestamp ASC`,
    `select ${hourly}, count(t.id) as count FROM edge_logs t ${apiJoins} WHERE response.status_code >= 400 AND REGEXP_CONTAINS(request.path, 'rest') `
      + 'AND response.status_code != 404 GROUP BY timestamp ORDER BY timestamp ASC',
    `select ${routes} from edge_logs t ${apiJoins} ${byRoute} count desc limit 10`,
    `select ${routes}, avg(response.origin_time) as avg from edge_logs t ${apiJoins} ${byRoute} avg desc limit 10`,
    `select ${hourly}, avg(response.origin_time) as avg FROM edge_logs t ${apiJoins} GROUP BY timestamp ORDER BY timestamp ASC`,
    `select ${hourly}, ${mb('headers')} as ingress_mb, ${mb('resp_headers')} as egress_mb, FROM edge_logs t ${apiJoins} `
      + 'cross join unnest(response.headers) as resp_headers GROUP BY timestamp ORDER BY timestamp ASC',
    "SELECT timestamp_trunc(timestamp, hour) as timestamp, countif( h.cf_cache_status in ('HIT', 'STALE') ) as hit_count, "
      + `countif( h.cf_cache_status in ('MISS', 'BYPASS') ) as miss_count from edge_logs f ${stored} `
      + "where starts_with(r.path, '/storage/v1/object') and r.method = 'GET' group by timestamp order by timestamp desc",
    `select timestamp_trunc(timestamp, hour) as timestamp, count(*) as count, h.x_sb_error_code as error_code from edge_logs ${apiJoins} `
      + "cross join unnest(response.headers) as h where path like '%auth/v1%' and response.status_code >= 400 and response.status_code <= 599 "
      + 'group by timestamp, error_code order by timestamp desc',
    authUsageQuery(start, end),
    authLatencyQuery(start, end),
    `--invocations\nselect timestamp_trunc(timestamp, hour) as timestamp, function_id, count(*) as count from function_edge_logs ${functionJoins} `
      + "WHERE function_id IN ('f','g') AND h.x_sb_edge_region IN ('eu') AND m.execution_time_ms > 1 group by timestamp, function_id order by timestamp desc;",
    `select timestamp_trunc(timestamp, day) as timestamp, function_id, avg(m.execution_time_ms) as avg_execution_time from function_edge_logs ${functionJoins} `
      + 'group by timestamp, function_id order by timestamp desc',
    `select timestamp_trunc(timestamp, minute) as timestamp, h.x_sb_edge_region as region, count(*) as count from function_edge_logs ${functionJoins} `
      + 'WHERE h.x_sb_edge_region is not null group by timestamp, region order by timestamp desc',
  ];
}

function spanEntry(start, end) {
  const at = (name, text) => `COALESCE(PARSE_TIMESTAMP('%Y-%m-%dT%H:%M:%E*S%Ez', '${text}'), TIMESTAMP('${text}')) AS ${name}`;
  return `params AS (SELECT ${at('start_ts', start)}, ${at('end_ts', end)})`;
}

const action = "COALESCE(JSON_VALUE(event_message, '$.auth_event.action'), JSON_VALUE(event_message, '$.action'))";
const span = 'FROM auth_logs, params WHERE timestamp >= start_ts AND timestamp < end_ts';

function authUsageQuery(start, end) {
  const none = 'CAST(NULL AS STRING)';
  return `-- usage\nWITH\n${spanEntry(start, end)},\nbase AS (SELECT TIMESTAMP_TRUNC(timestamp, hour) AS ts, ${action} AS action,\n`
    + "COALESCE(JSON_VALUE(event_message, '$.auth_event.actor_id'), JSON_VALUE(event_message, '$.user_id')) AS actor_id,\n"
    + "COALESCE(JSON_VALUE(event_message, '$.provider'), 'unknown') AS provider, JSON_VALUE(event_message, '$.login_method') AS login_method,\n"
    + "CASE WHEN JSON_VALUE(event_message, '$.metering') IS NOT NULL THEN LOWER(JSON_VALUE(event_message, '$.metering'))\n"
    + `WHEN JSON_QUERY(event_message, '$.metering') = 'true' THEN 'true' ELSE '' END AS metering\n${span}\n`
    + "AND COALESCE(JSON_VALUE(event_message, '$.provider'), 'unknown') IN ('unknown', 'email')),\n"
    + "agg_usage AS (SELECT ts, COUNT(DISTINCT IF(action IN ('login','token_refreshed'), actor_id, NULL)) AS active_users, "
    + "COUNTIF(action = 'user_signedup') AS total_signups FROM base GROUP BY ts),\n"
    + "agg_signin AS (SELECT ts, CASE WHEN COALESCE(provider, '') != '' THEN CONCAT(login_method, ' (', provider, ')') ELSE login_method END "
    + "AS login_type_provider, COUNTIF(action = 'login' AND metering = 'true') AS count FROM base GROUP BY ts, login_type_provider)\n"
    + `SELECT ts AS timestamp, 'ActiveUsers' AS metric, active_users AS count, ${none} AS provider, ${none} AS login_type_provider FROM agg_usage\n`
    + `UNION ALL SELECT ts, 'TotalSignUps', total_signups, ${none} AS provider, ${none} FROM agg_usage\n`
    + `UNION ALL SELECT ts, 'SignInAttempts', count, ${none} AS provider, login_type_provider FROM agg_signin\nORDER BY timestamp DESC`;
}

function authLatencyQuery(start, end) {
  const field = (name, divisor) => `SAFE_CAST(JSON_VALUE(event_message, '$.${name}') AS FLOAT64)${divisor ? ` / ${divisor}` : ''}`;
  return `WITH ${spanEntry(start, end)},\nbase AS (SELECT TIMESTAMP_TRUNC(timestamp, day) AS ts, CASE ${action} WHEN 'login' THEN 'SignInLatency' `
    + "WHEN 'user_signedup' THEN 'SignUpLatency' ELSE NULL END AS metric,\n"
    + `COALESCE(${field('duration_ms')}, ${field('duration_us', '1000.0')}, ${field('auth_event.duration', '1000000.0')}, ${field('duration', '1000000.0')}) `
    + `AS latency_ms ${span}),\nfiltered AS (SELECT ts, metric, latency_ms FROM base WHERE metric IS NOT NULL),\n`
    + 'basic AS (SELECT ts, metric, MIN(latency_ms) AS min, AVG(latency_ms) AS avg, MAX(latency_ms) AS max FROM filtered GROUP BY ts, metric),\n'
    + 'pct AS (SELECT ts, metric, APPROX_QUANTILES(latency_ms, 100) AS q FROM filtered GROUP BY ts, metric)\n'
    + 'SELECT b.ts AS timestamp, b.metric, b.min AS min_processing_time_ms, b.avg AS avg_processing_time_ms, b.max AS max_processing_time_ms, '
    + 'q[OFFSET(50)] AS p50_processing_time_ms, q[OFFSET(95)] AS p95_processing_time_ms FROM basic b JOIN pct USING (ts, metric) ORDER BY timestamp DESC, metric';
}

// The unified page: rows of several services as one, its facets, and its chart.
export function unifiedQueries() {
  const level = (status) => `CASE WHEN ${status} BETWEEN 200 AND 299 THEN 'success' WHEN ${status} BETWEEN 400 AND 499 THEN 'warning' `
    + `WHEN ${status} >= 500 THEN 'error' ELSE 'success' END as level`;
  const edge = (type, condition) => `select id, null as source_id, el.timestamp as timestamp, '${type}' as log_type, `
    + `CAST(edge_response.status_code AS STRING) as status, ${level('edge_response.status_code')}, edge_request.path as pathname, `
    + 'null as event_message, edge_request.method as method, null as log_count, null as logs from edge_logs as el '
    + 'cross join unnest(metadata) as edge_metadata cross join unnest(edge_metadata.request) as edge_request '
    + `cross join unnest(edge_metadata.response) as edge_response\n-- by path\nWHERE ${condition}`;
  const postgres = "select id, null as source_id, pgl.timestamp as timestamp, 'postgres' as log_type, CAST(pgl_parsed.sql_state_code AS STRING) as status, "
    + "CASE WHEN pgl_parsed.error_severity = 'LOG' THEN 'success' WHEN pgl_parsed.error_severity = 'WARNING' THEN 'warning' "
    + "WHEN pgl_parsed.error_severity = 'ERROR' THEN 'error' ELSE null END as level, null as pathname, event_message as event_message, null as method, "
    + 'null as log_count, null as logs from postgres_logs as pgl cross join unnest(pgl.metadata) as pgl_metadata cross join unnest(pgl_metadata.parsed) as pgl_parsed';
  const functions = "select id, null as source_id, fel.timestamp as timestamp, 'edge function' as log_type, CAST(fel_response.status_code AS STRING) as status, "
    + `${level('fel_response.status_code')}, fel_request.pathname as pathname, COALESCE(agg.last_event_message, '') as event_message, fel_request.method as method, `
    + 'agg.function_log_count as log_count, null as logs from function_edge_logs as fel cross join unnest(metadata) as fel_metadata '
    + 'cross join unnest(fel_metadata.response) as fel_response cross join unnest(fel_metadata.request) as fel_request left join (\n'
    + 'SELECT fl_metadata.request_id, COUNT(fl.id) as function_log_count, ANY_VALUE(fl.event_message) as last_event_message FROM function_logs as fl '
    + 'CROSS JOIN UNNEST(fl.metadata) as fl_metadata WHERE fl_metadata.request_id IS NOT NULL GROUP BY fl_metadata.request_id\n'
    + ') as agg on fel_metadata.request_id = agg.request_id';
  const auth = "select el.id as id, al.id as source_id, el.timestamp as timestamp, 'auth' as log_type, CAST(el_response.status_code AS STRING) as status, "
    + `${level('el_response.status_code')}, el_request.path as pathname, null as event_message, el_request.method as method, null as log_count, null as logs `
    + 'from auth_logs as al cross join unnest(metadata) as al_metadata left join (\nedge_logs as el cross join unnest (metadata) as el_metadata '
    + 'cross join unnest (el_metadata.response) as el_response cross join unnest (el_response.headers) as el_headers '
    + 'cross join unnest (el_metadata.request) as el_request\n) on al_metadata.request_id = el_headers.cf_ray WHERE al_metadata.request_id is not null';
  const sources = [edge('edge', "edge_request.path NOT LIKE '%/rest/%' AND edge_request.path NOT LIKE '%/storage/%'"),
    edge('postgrest', "edge_request.path LIKE '%/rest/%'"), postgres, functions, auth, edge('storage', "edge_request.path LIKE '%/storage/%'")];
  const entry = `WITH unified_logs AS (\n    ${sources.join(' union all ')}\n)\n`;
  const facet = (name) => `${name}_count AS (SELECT '${name}' as dimension, ${name} as value, COUNT(*) as count FROM unified_logs WHERE ${name} IS NOT NULL GROUP BY ${name} LIMIT 20)`;
  const facets = ['log_type', 'method', 'level', 'status', 'pathname'];
  return [
    `${entry}SELECT id, source_id, timestamp, log_type, status, level, pathname, event_message, method, log_count, logs FROM unified_logs\n`,
    `${entry}SELECT id, timestamp FROM unified_logs WHERE log_type IN ('edge','postgres') AND (LOWER(event_message) LIKE LOWER('%check%')) AND (pathname LIKE '%/a%')`,
    `${entry.trimEnd()}, ${facets.map(facet).join(',\n')}\n${facets.map((name) => `SELECT dimension, value, count from ${name}_count`).join('\nUNION ALL\n')}`,
    `${entry}SELECT TIMESTAMP_TRUNC(timestamp, HOUR) as time_bucket, COUNTIF(level = 'success') as success, COUNTIF(level = 'warning') as warning, `
      + "COUNTIF(level = 'error') as error, COUNT(*) as total_per_bucket FROM unified_logs GROUP BY time_bucket ORDER BY time_bucket ASC",
  ];
}

// The queries that the explorer offers to begin with.
export function templateQueries() {
  return [
    "select\n  p.user_name,\n  count(*) as count\nfrom postgres_logs\n  left join unnest(metadata) as m on true\n  left join unnest(m.parsed) as p on true\n"
      + "where\n  regexp_contains(event_message, 'COMMIT')\ngroup by\n  p.user_name\n  ",
    'select cast(timestamp as datetime) as timestamp, h.x_real_ip from edge_logs left join unnest(metadata) as m on true left join unnest(m.request) as r on true '
      + 'left join unnest(r.headers) as h on true where h.x_real_ip is not null',
    'select cf.country, count(*) as count from edge_logs left join unnest(metadata) as m on true left join unnest(m.request) as r on true '
      + 'left join unnest(r.cf) as cf on true group by cf.country order by count desc',
    'select cast(timestamp as datetime) as timestamp, event_message, r.origin_time from edge_logs cross join unnest(metadata) as m '
      + 'cross join unnest(m.response) as r where r.origin_time > 1000 order by timestamp desc limit 100',
    'select r.path as path, r.search as params, count(timestamp) as c from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r '
      + 'group by path, params order by c desc limit 100',
    "select cast(timestamp as datetime) as timestamp, event_message from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r "
      + "where path like '%rest/v1%' order by timestamp desc limit 100",
    'select count(t.timestamp) as count, p.user_name, p.error_severity from postgres_logs as t cross join unnest(metadata) as m cross join unnest(m.parsed) as p '
      + "where p.error_severity in ('ERROR', 'FATAL', 'PANIC') group by p.user_name, p.error_severity order by count desc limit 100",
    'select t.timestamp, event_message from auth_logs as t where regexp_contains(event_message,"level.{3}(info|warning||error|fatal)")\n'
      + '  -- and regexp_contains(event_message,"path.{3}(/token)")\nlimit 100\n',
    'select cast(timestamp as datetime) as timestamp, event_message, metadata \nfrom auth_audit_logs \nlimit 10\n',
    "select request.method as http_verb, request.path as filepath, (responseHeaders.cf_cache_status = 'HIT') as cached, count(*) as num_requests from edge_logs "
      + 'cross join unnest(metadata) as metadata cross join unnest(metadata.request) as request cross join unnest(metadata.response) as response '
      + "cross join unnest(response.headers) as responseHeaders where (path like '%storage/v1/object/%' or path like '%storage/v1/render/%') "
      + "and request.method = 'GET' group by 1, 2, 3 order by num_requests desc limit 100;",
    "select r.path as path, r.search as search, count(id) as count from edge_logs f cross join unnest(f.metadata) as m cross join unnest(m.request) as r "
      + "cross join unnest(m.response) as res cross join unnest(res.headers) as h where starts_with(r.path, '/storage/v1/object') and r.method = 'GET' "
      + "and h.cf_cache_status in ('MISS', 'NONE/UNKNOWN') group by path, search order by count desc limit 100;",
  ];
}
