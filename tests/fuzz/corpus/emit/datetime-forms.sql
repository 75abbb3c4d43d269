select id, datetime(timestamp) as dt, cast(timestamp as datetime) as dt2, date(timestamp) as d, time(timestamp_trunc(timestamp, second)) as t, extract(hour from timestamp) as h, extract(dayofweek from timestamp) as dow, extract(dayofyear from timestamp) as doy
from pgbouncer_logs
order by timestamp desc
limit 6
