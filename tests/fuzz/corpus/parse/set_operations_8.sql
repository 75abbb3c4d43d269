select 1 a left union distinct by name on (a, b) select 2 b left union distinct by name on (A, b) select 3 a
