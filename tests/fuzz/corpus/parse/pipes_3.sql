from t |> aggregate count(*) n desc, sum(a) asc nulls last group and order by b desc nulls first, c
