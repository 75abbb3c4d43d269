select timestamp_trunc(timestamp, day) as d, countif(response.status_code >= 500) / count(*) as ratio, div(count(*), 7) as n7
from function_edge_logs
cross join unnest(metadata) as m
cross join unnest(m.response) as response
group by 1
order by 1
