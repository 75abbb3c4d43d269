select day, n, sum(n) over (order by day rows between unbounded preceding and current row) as so_far, n - lag(n) over (order by day) as change
from (select timestamp_trunc(timestamp, day) as day, count(*) as n from storage_logs group by day)
order by day
