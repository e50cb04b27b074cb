@echo off
rem Starts a command of the monitor from any folder: finds Deno, and leaves the rest to launch.mjs.
setlocal
set "version=2.9.5"
set "folder=%LOCALAPPDATA%\monitor-action"
set "remembered=%folder%\deno-%version%"

set "deno="
if exist "%remembered%" set /p deno=<"%remembered%"
if not defined deno goto find
"%deno%" --version 2>nul | findstr /b /c:"deno %version% " >nul && goto start

:find
rem Only the monitor itself needs these: endlocal brings them back.
setlocal
for %%v in (SECRETS_CONTEXT SECRET_VALUE HOST_PAT GITHUB_TOKEN GH_PAT) do set "%%v="
rem A deno on PATH may be a wrapper, which keeps signals to itself.
set "deno="
set "finder=npx --yes --prefer-offline deno@%version%"
deno --version 2>nul | findstr /b /c:"deno %version% " >nul && set "finder=deno"
rem Without a network npx would be silent for a minute.
set "npm_config_fetch_retry_mintimeout=1000"
set "npm_config_fetch_retry_maxtimeout=5000"
for /f "delims=" %%p in ('%finder% eval --no-config "console.log(Deno.execPath())"') do set "deno=%%p"
endlocal & set "deno=%deno%"
if not defined deno (
  echo monitor: Deno %version% is not on PATH, and npx can't fetch it: install Deno %version% or Node 20 >&2
  exit /b 127
)
if not exist "%folder%" mkdir "%folder%"
>"%remembered%" echo %deno%

:start
set "MONITOR_COMMAND=%~0"
"%deno%" run --quiet --no-config --no-lock --no-prompt --allow-env --allow-read --allow-run --allow-sys=homedir --allow-write "%~dp0launch.mjs" %*
exit /b %errorlevel%
