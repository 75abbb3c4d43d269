select regexp_extract(rq.path, r'^/([a-z]+)') as service, regexp_replace(rq.path, r'[0-9a-f]{4}', '#') as pattern, count(*) as n
from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as rq
group by service, pattern
order by n desc, pattern
limit 15
