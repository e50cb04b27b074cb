#!/bin/sh
# Starts Uptime CI from a machine of your own, on time: GitHub's schedule can be late by minutes to hours.
#
# It needs a token that may start workflows by event: fine-grained, for this repository only, with
# contents: write; or classic with the scope repo. Keep it in a file that only you can read:
#
#   install -m 600 /dev/null ~/.config/monitor-token && editor ~/.config/monitor-token
#
# Every five minutes by cron (crontab -e):
#
#   */5 * * * * MONITOR_REPOSITORY=owner/name /usr/local/bin/monitor-dispatch
#
# Or by systemd, which also catches up after the machine was off:
#
#   # /etc/systemd/system/monitor-dispatch.service
#   [Service]
#   Type=oneshot
#   DynamicUser=yes
#   LoadCredential=token:/etc/monitor-token
#   Environment=MONITOR_REPOSITORY=owner/name MONITOR_TOKEN_FILE=%d/token
#   ExecStart=/usr/local/bin/monitor-dispatch
#
#   # /etc/systemd/system/monitor-dispatch.timer, then: systemctl enable --now monitor-dispatch.timer
#   [Timer]
#   OnCalendar=*:0/5
#   AccuracySec=1s
#   Persistent=true
#   [Install]
#   WantedBy=timers.target
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
