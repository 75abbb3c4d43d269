select 1 +
