select 'it''s' as a, 'say "hi"' as b, "tab\there" as c, count(*) as n
from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r cross join unnest(r.cf) as cf
where cf.asOrganization = "Telstra \"Internet\"" and r.method = "GET"
