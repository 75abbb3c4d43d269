select geo.continent as part_of_world, count(*) as n, count(geo.country) as with_country
from edge_logs as ed
left join unnest(ed.metadata) as mm on true
left join unnest(mm.request) as q1 on true
left join unnest(q1.cf) as geo on true
group by part_of_world
order by n desc, part_of_world
