#!/bin/sh
# Starts logquery with the two tokens that Supabase's stack has in its .env: the public one writes logs, the private one reads.
# FOLDER and LISTEN may be set; they are the container's unless they are.
set -eu
folder=${FOLDER:-/data}
listen=${LISTEN:-0.0.0.0:4000}
mkdir -p "$folder/logs"
tokens=$folder/tokens.json

# What is there already stays as it is, so this may run at each start. A weak or published secret is refused, and says how to
# make one.
printf '%s\n' "$LOGFLARE_PUBLIC_ACCESS_TOKEN" |
  logquery token import --tokens "$tokens" --label collector --project default --may-ingest
printf '%s\n' "$LOGFLARE_PRIVATE_ACCESS_TOKEN" |
  logquery token import --tokens "$tokens" --label studio --all-projects

# The network is the stack's own; nothing of it is published.
exec logquery serve --ingest --insecure-http --data "$folder/logs" --tokens "$tokens" --listen "$listen" \
  --default-tier ENTERPRISE
