select m.function_id as fn, count(*) as calls
from function_edge_logs as fe cross join unnest(fe.metadata) as m
where not exists (
  select 1 from function_logs as fl cross join unnest(fl.metadata) as lm
  where lm.function_id = m.function_id and fl.timestamp > '2026-03-04T02:00:00Z'
)
group by fn
order by calls desc, fn
