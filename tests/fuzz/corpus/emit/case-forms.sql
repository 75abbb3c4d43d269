select case m.level when 'error' then 3 when 'warning' then 2 else 1 end as weight, if(m.event_type = 'Boot', 'cold', 'warm') as phase, count(*) as n
from function_logs cross join unnest(metadata) as m
group by weight, phase
order by weight desc, phase
