#!/bin/bash
# A terminal in shell, made from docs/device-protocol.md alone: it enrols, connects over TLS with its certificate, takes firmware
# offers to their result and answers commands. Needs bash, curl, jq, openssl 3, mosquitto_pub and mosquitto_sub.
#   SERVER=http://127.0.0.1:8080 SN=SHELL-0001 PRODUCT=A920 CODE=XXXXX-XXXXX-XXXXX-XXXXX ./terminal.sh
# Where the system doesn't know the authority of the server's certificate: CURL_CA_BUNDLE=ca.pem beside these.
set -euo pipefail
: "${SERVER:?}" "${SN:?}" "${PRODUCT:?}" "${CODE:=}" "${DIR:=./terminal-$SN}" "${FIRMWARE:=1.0.0}"
umask 077; mkdir -p "$DIR"; cd "$DIR"; mkdir -p unsent results; touch slogan; [ -s seq ] || echo 0 >seq
log() { echo "$(date -u +%FT%TZ) $*" >&2; }

# Identity: its own key, a signing request, a certificate.
[ -s device.key ] || openssl ecparam -name prime256v1 -genkey -noout -out device.key
until [ -s certificate.pem ]; do
  openssl req -new -key device.key -subj "/CN=$SN" -out request.pem
  nonce=$(curl -sS -H 'content-type: application/json' -d "{\"sn\": \"$SN\"}" "$SERVER/d/nonce" | jq -r .nonce)
  printf 'mooring:enrol:%s:%s:%s' "$SN" "$nonce" "$(sha256sum request.pem | cut -d' ' -f1)" >proof
  signature=$(openssl dgst -sha256 -sign device.key proof | base64 -w0)
  jq -n --arg sn "$SN" --arg product "$PRODUCT" --arg code "$CODE" --rawfile request request.pem --arg nonce "$nonce" --arg signature "$signature" \
    '{sn: $sn, product: $product, request: $request, proof: {$nonce, $signature}} + (if $code == "" then {} else {code: $code} end)' |
    curl -sS -H 'content-type: application/json' --data-binary @- "$SERVER/d/enrol" >identity.json
  if [ "$(jq -r .state identity.json)" = enrolled ]; then
    jq -r .root identity.json >root.pem
    { echo '-----BEGIN PUBLIC KEY-----'; jq -r .releaseRoot identity.json; echo '-----END PUBLIC KEY-----'; } >release-root.pem
    jq -r .certificate identity.json >certificate.pem
  else log "not enrolled: $(jq -c . identity.json)"; sleep 5; fi
done
address=$(jq -r .mqtt.tls identity.json); address=${address#mqtts://}
tls=(-h "${address%:*}" -p "${address##*:}" --cafile root.pem --cert certificate.pem --key device.key -V mqttv311)
[ -s firmware ] || echo "$FIRMWARE" >firmware

# Messages. Results, replies and the newest hello are kept and said again until an ack names them.
envelope() { jq -cn --arg id "$1" --arg at "$(date -u +%FT%TZ)" --argjson data "$2" '{v: 1, id: $id, at: $at, data: $data}'; }
publish() { mosquitto_pub "${tls[@]}" -i "$SN.say" -q 1 -t "d/$SN/up/$1" -m "$2" || true; }
say() { publish "$1" "$(envelope "$1-$RANDOM$RANDOM" "$2")"; }
keep() { envelope "$2" "$3" >"unsent/$1~$2"; publish "$1" "$(cat "unsent/$1~$2")"; }
hello() {
  rm -f unsent/hello~*
  keep hello "hello-$RANDOM$RANDOM" "$(jq -cn --arg product "$PRODUCT" --arg firmware "$(cat firmware)" \
    '{product: $product, firmware: $firmware, agent: "shell/1", capabilities: ["firmware", "message", "propertyGet", "propertySet"], timeZone: "UTC"}')"
}
repeat() { for file in unsent/*~*; do [ -e "$file" ] && { name=${file#unsent/}; publish "${name%%~*}" "$(cat "$file")"; }; done; true; }

# A signature over a text: Ed25519, the key as SPKI in base64.
signed() { # public-key-pem text signature-base64
  printf %s "$2" >text; printf %s "$3" | base64 -d >signature
  openssl pkeyutl -verify -rawin -pubin -inkey "$1" -in text -sigfile signature >/dev/null 2>&1
}
failed() { jq -cn --arg offer "$1" --arg reason "$2" '{offer: $offer, outcome: "failure", reason: $reason}'; }
install() { # offer data → result data
  local data=$1 offer key id size sha url
  offer=$(jq -r .offer <<<"$data")
  [ "$(jq -r .package.kind <<<"$data")" = TA ] || { failed "$offer" notSupported; return; }
  key=$(jq -r .releaseKey.publicKey <<<"$data"); id=$(jq -r .releaseKey.id <<<"$data")
  printf -- '-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n' "$key" >release.pem
  signed release-root.pem "mooring-release-key:$id:$key" "$(jq -r .releaseKey.signature <<<"$data")" &&
    signed release.pem "$(jq -cj '.package | {product,kind,version,base,size,sha256,keyId}' <<<"$data")" "$(jq -r .package.signature <<<"$data")" ||
    { failed "$offer" signatureWrong; return; }
  [ "$(jq -r .package.product <<<"$data")" = "$PRODUCT" ] || { failed "$offer" productWrong; return; }
  sha=$(jq -r .package.sha256 <<<"$data"); size=$(jq -r .package.size <<<"$data"); url=$(jq -r .url <<<"$data")
  [[ $url == http* ]] || url=$SERVER$url
  for _ in 1 2 3 4 5; do curl -sSfL -C - -o "$sha.part" "$url" && break; sleep 2; done
  [ "$(stat -c %s "$sha.part" 2>/dev/null || echo 0)" = "$size" ] || { failed "$offer" sizeWrong; return; }
  [ "$(sha256sum "$sha.part" | cut -d' ' -f1)" = "$sha" ] || { rm -f "$sha.part"; failed "$offer" hashWrong; return; }
  mv "$sha.part" image && jq -r .package.version <<<"$data" >firmware
  jq -cn --arg offer "$offer" --arg version "$(cat firmware)" --arg sha "$sha" --argjson size "$size" \
    '{offer: $offer, outcome: "success", version: $version, sha256: $sha, bytes: $size}'
}

# Its thing model: a slogan that can be set, and how long it runs. What is new is told before the answer.
values() { jq -cn --rawfile slogan slogan --argjson uptime "$(cut -d. -f1 /proc/uptime)" --argjson names "$1" '{$slogan, $uptime} | {values: with_entries(select($names == [] or (.key | IN($names[]))))}'; }
obey() { # command data → outcome
  local name wrong='"notSupported"' values seq; name=$(jq -r .command <<<"$1") values=$(jq -c '.params.values // {}' <<<"$1") seq=$(jq '.seq // 0' <<<"$1")
  [ "$name" = message ] || [ "$name" = propertyGet ] && wrong=null
  [ "$name" != propertySet ] || wrong=$(jq -c '[to_entries[] | if .key == "uptime" then "readOnly" elif .key != "slogan" then "unknownProperty" elif (.value | type) != "string" then "valueWrong" else empty end][0]' <<<"$values")
  jq -e '.expiresAt == null or (.expiresAt | sub("\\.[0-9]+"; "") | fromdate) > now' <<<"$1" >/dev/null || wrong='"expired"'
  [ "$name $wrong" != "propertySet null" ] || [ "$seq" -lt "$(cat seq)" ] || { jq -j .slogan <<<"$values" >slogan; echo "$seq" >seq; } # the later one counts
  [ "${name#property} $wrong" = "$name null" ] || [ "$wrong" != null ] || say property "$(values "$(jq -c '.params.names // []' <<<"$1")")"
  jq -cn --argjson reason "$wrong" 'if $reason == null then {outcome: "done"} else {outcome: "failed", $reason} end'
}

take() { # kind message
  local data id name; data=$(jq -c .data <<<"$2") id=$(jq -r .id <<<"$2")
  case $1 in
  ack) rm -f unsent/*~"$(jq -r .id <<<"$data")" ;;
  offer)
    name=o-$(jq -r .offer <<<"$data"); name=${name:0:64}
    say progress "$(jq -c '{offer, phase: "received"}' <<<"$data")"
    [ -s "results/$name" ] || install "$data" >"results/$name" # at most once: the result is kept, and said again where the offer comes again
    log "result $(cat "results/$name")"; keep result "$name" "$(cat "results/$name")"; hello ;;
  command) name=c-${id:0:60}; [ -s "results/$name" ] || { obey "$data" | jq -c --arg to "$id" '{to: $to} + .' >"results/$name"; log "$1 $data"; } # once for an id
    keep reply "r-${id:0:60}" "$(cat "results/$name")" ;;
  cancel | config) keep reply "r-${id:0:60}" "$(jq -cn --arg to "$id" '{to: $to, outcome: "done"}')"; log "$1 $data" ;;
  esac
}

( while sleep "${BEAT:-60}"; do say beat '{"battery": 100, "charging": true}'; repeat; done ) & trap 'kill $!' EXIT
( sleep 1; hello; repeat ) &
mosquitto_sub "${tls[@]}" -i "$SN" -q 1 -t "d/$SN/down/+" -F '%t %p' | while read -r topic message; do take "${topic##*/}" "$message"; done
