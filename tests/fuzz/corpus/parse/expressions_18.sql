select count(*), count(distinct a), array_agg(distinct a ignore nulls order by b desc, c limit 5), any_value(a having max b), any_value(a having min b + 1)
