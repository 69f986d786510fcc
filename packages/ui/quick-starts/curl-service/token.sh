#!/bin/sh
# Needs curl. Run it with the secret in the environment: env $(cat .env) sh token.sh
curl -sS __ISSUER__/token -u "__CLIENT_ID__:$CLIENT_SECRET" \
  -d grant_type=client_credentials --data-urlencode "scope=__SCOPES__"
