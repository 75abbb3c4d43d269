select id, m.context
from storage_logs cross join unnest(metadata) as m
order by timestamp desc
limit 3
