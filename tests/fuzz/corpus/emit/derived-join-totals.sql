select a.method, a.n, b.total, a.n * 100 / b.total as share
from (select r.method as method, count(*) as n from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r group by r.method) a
cross join (select count(*) as total from edge_logs) b
where a.n > 5
order by a.n desc, a.method
