select e.id, e.timestamp, 'edge' as source, cast(rs.status_code as string) as code
from edge_logs e cross join unnest(e.metadata) as m cross join unnest(m.response) as rs
where rs.status_code >= 502
union all
select p.id, p.timestamp, 'postgres', ps.sql_state_code
from postgres_logs p cross join unnest(p.metadata) as m cross join unnest(m.parsed) as ps
where ps.error_severity = 'FATAL'
union all
select f.id, f.timestamp, 'function', cast(rr.status_code as string)
from function_edge_logs f cross join unnest(f.metadata) as m cross join unnest(m.response) as rr
where rr.status_code >= 546
order by timestamp desc
limit 60
