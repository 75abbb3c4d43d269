select current_date, current_timestamp(), current_time as t, t.current_date, `current_date`
