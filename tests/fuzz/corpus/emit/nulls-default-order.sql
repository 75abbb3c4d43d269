select cf.isEUCountry as eu, count(*) as n
from edge_logs left join unnest(metadata) as m left join unnest(m.request) as r left join unnest(r.cf) as cf
group by eu
order by eu
