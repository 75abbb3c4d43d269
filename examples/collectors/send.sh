#!/bin/sh
# Sends a file of NDJSON: send.sh LOG FILE. LOGQUERY_URL and LOGQUERY_TOKEN are variables of the environment. 5,000 lines are one
# request, whose key is made of its bytes: a file that is sent again within 24 hours is stored once.
set -eu
log=$1 file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
split -l 5000 "$file" "$work/part."
for part in "$work"/part.*; do
  key=$(sha256sum <"$part" | cut -d' ' -f1)
  gzip "$part"
  curl -sS --fail-with-body --retry 20 --retry-connrefused -X POST "$LOGQUERY_URL/api/logs?source_name=$log" \
    -H "X-API-KEY: $LOGQUERY_TOKEN" -H "Idempotency-Key: $key" -H 'Content-Type: application/x-ndjson' \
    -H 'Content-Encoding: gzip' --data-binary "@$part.gz"
  echo
done
