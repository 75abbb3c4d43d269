select a between 1 and 2, a not between b and c, a in (1, 2), a not in (1), a in unnest([1]), a in (select 1), a in unnest(b.c)
