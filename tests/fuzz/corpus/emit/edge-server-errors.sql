select id, timestamp, event_message, rq.method, rq.path, rs.status_code as status
from edge_logs
cross join unnest(metadata) as md
cross join unnest(md.request) as rq
cross join unnest(md.response) as rs
where rs.status_code between 500 and 599
order by timestamp desc
limit 40
