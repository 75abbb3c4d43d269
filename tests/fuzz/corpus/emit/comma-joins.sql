select rq.method, min(rs.origin_time) as fastest, max(rs.origin_time) as slowest, sum(rs.origin_time) as total
from edge_logs l, unnest(l.metadata) m, m.request rq, unnest(m.response) as rs
group by rq.method
order by total desc
