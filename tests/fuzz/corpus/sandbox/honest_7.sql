select 1 ;  -- the end
