select * from `cloudflare.logs.prod`
