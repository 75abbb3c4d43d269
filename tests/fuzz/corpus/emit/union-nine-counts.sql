select 'auth' as log, count(*) as n from auth_logs union all
select 'edge', count(*) from edge_logs union all
select 'function', count(*) from function_logs union all
select 'function edge', count(*) from function_edge_logs union all
select 'pooler', count(*) from pgbouncer_logs union all
select 'postgres', count(*) from postgres_logs union all
select 'realtime', count(*) from realtime_logs union all
select 'rest', count(*) from postgrest_logs union all
select 'storage', count(*) from storage_logs
order by log
