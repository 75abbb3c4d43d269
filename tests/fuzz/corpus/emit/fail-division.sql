select count(*) / 0 as x from storage_logs
