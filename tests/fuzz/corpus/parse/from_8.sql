select * from unnest([1, 2]) x with offset y, unnest(a as b, c d, mode => 'PAD') with offset as e
