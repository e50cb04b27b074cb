#!/bin/sh
# Starts Uptime CI from a machine of your own, on time: GitHub's schedule can be late by minutes to hours.
#
# It needs a token of its own, for this repository only: a fine-grained one with contents: write, which is the least
# that GitHub accepts for events, or a classic one with the scope repo. Keep it in a file that only you can read:
#
#   install -m 600 /dev/null ~/.config/monitor-token && editor ~/.config/monitor-token
#
# Every five minutes by cron (crontab -e):
#
#   */5 * * * * MONITOR_REPOSITORY=owner/name /usr/local/bin/monitor-dispatch
#
# Or by systemd, with monitor-dispatch.service and monitor-dispatch.timer.
#
# The argument is the event: uptime (default), response_time, graphs, static_site, summary or setup.
set -eu
event="${1:-uptime}"
repository="${MONITOR_REPOSITORY:?is missing: set it to owner/name}"
api="${GITHUB_API_URL:-https://api.github.com}"
token="$(cat "${MONITOR_TOKEN_FILE:-$HOME/.config/monitor-token}")"

# The token is piped in, because others can see command lines. A refusal, or no answer within 30 seconds,
# makes the script fail, so that cron sends a mail.
printf 'Authorization: Bearer %s\n' "$token" |
  curl --fail --silent --show-error --max-time 30 --retry 2 --output /dev/null \
    --header @- \
    --header 'Accept: application/vnd.github+json' \
    --header 'Content-Type: application/json' \
    --data "{\"event_type\": \"$event\"}" \
    "$api/repos/$repository/dispatches"
