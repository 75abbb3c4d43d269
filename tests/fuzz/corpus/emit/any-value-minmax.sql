select any_value(m.project_ref) as ref, string_agg(distinct rq.method, '+' order by rq.method) as methods, logical_or(rs.status_code >= 500) as some_failed, logical_and(rs.status_code < 600) as sane
from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as rq cross join unnest(m.response) as rs
