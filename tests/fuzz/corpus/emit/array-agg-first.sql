select m.level as level, count(*) as n,
  array_agg(struct(event_message as msg, realtime_logs.timestamp as ts) order by realtime_logs.timestamp asc)[safe_offset(0)].msg as first_msg
from realtime_logs cross join unnest(metadata) as m
group by level
order by level
