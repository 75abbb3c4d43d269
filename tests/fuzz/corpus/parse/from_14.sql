select * from t as u pivot(max(a) for b.c in (1)) unpivot(d for e in (f, g as 'x', h 2))
