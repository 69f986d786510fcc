#!/bin/sh
# Needs curl and openssl.__SECRET_HINT__
verifier=$(openssl rand -base64 48 | tr '+/' '-_' | tr -d '=\n')
challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | openssl base64 | tr '+/' '-_' | tr -d '=\n')
state=$(openssl rand -hex 16)

echo "Open this address and sign in:"
echo "__ISSUER__/authorize?response_type=code&client_id=__CLIENT_ID__&redirect_uri=__REDIRECT_URI_ENCODED__&scope=__SCOPES_ENCODED__&state=$state&code_challenge=$challenge&code_challenge_method=S256"
echo "The browser ends at __REDIRECT_URI__ with a code. Paste that address here:"
read -r address

case "$address" in *"state=$state"*) ;; *) echo "This answer belongs to another sign-in." && exit 1 ;; esac
case "$address" in *[?\&]code=*) ;; *) echo "Not signed in: $address" && exit 1 ;; esac
code=$(printf %s "$address" | sed 's/.*[?&]code=\([^&]*\).*/\1/')

tokens=$(curl -sS __ISSUER__/token __CLIENT_AUTHENTICATION__ \
  -d grant_type=authorization_code -d "code=$code" -d "code_verifier=$verifier" \
  --data-urlencode "redirect_uri=__REDIRECT_URI__")
echo "$tokens"

# With the scope openid, the access token also answers who the user is.
access_token=$(printf %s "$tokens" | sed -n 's/.*"access_token":"\([^"]*\)".*/\1/p')
case " __SCOPES__ " in *" openid "*) curl -sS -H "Authorization: Bearer $access_token" __ISSUER__/userinfo && echo ;; esac
