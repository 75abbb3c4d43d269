/* block -- with a dash
   over two lines */
select # hash comment; not the end
  count(*) as n, -- trailing comma follows
  'not -- a comment' as s,
from /* inline */ realtime_logs;
-- and after the end
