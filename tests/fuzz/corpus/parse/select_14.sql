select a from t group by rollup(a, (b, c)), cube(d), grouping sets ((), a, (b, c), rollup(d, e), cube(f)), ()
