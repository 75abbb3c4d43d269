select m.level, m.event_type, count(*) as n
from function_logs cross join unnest(metadata) as m
group by rollup(m.level, m.event_type)
order by level, event_type
