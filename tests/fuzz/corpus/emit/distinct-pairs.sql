select distinct rq.protocol, cf.tlsVersion
from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as rq left join unnest(rq.cf) as cf
order by tlsVersion
