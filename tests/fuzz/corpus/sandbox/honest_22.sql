select exists(select 1 from auth_logs) as there
