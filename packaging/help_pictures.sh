#!/bin/sh
# help_pictures.sh [PROGRAM]: makes the pictures of the manual (resources/help/pictures) and of the
# README (resources/screenshots) with the program itself, driven by keys under Xvfb. Needs xvfb,
# xdotool, imagemagick and jq.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=${1:-$root/build/dev/bin/orrery}
out=$root/resources/help/pictures
shots=$root/resources/screenshots
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out" "$work/rt"
chmod 700 "$work/rt"
export XDG_RUNTIME_DIR="$work/rt" XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state" \
    XDG_CONFIG_HOME="$work/config" PROGRAM="$program" OUT="$out" SHOTS="$shots" WORK="$work"
mkdir -p "$work/config/orrery"
printf '[%%General]\nshowsHint=false\n' > "$work/config/orrery/orrery.ini"

cat > "$work/drive.sh" <<'DRIVE'
set -eu
ui=$WORK/ui.json
count=0
# Waits until nothing is loaded, solved or drawn, and has the window's parts written.
settle() { ask settled; }
# Has them written as they are: a training never lets the window settle.
look() { ask now; }
ask() {
    count=$((count + 1))
    rm -f "$ui"
    echo "$count $1" > "$ui.request"
    tries=0
    while [ -e "$ui.request" ] || [ ! -s "$ui" ]; do
        tries=$((tries + 1))
        [ $tries -lt 900 ] || { echo "the window does not settle" >&2; exit 1; }
        # A request that is made while the window is put together may be lost.
        [ $((tries % 50)) -ne 0 ] || [ -e "$ui.request" ] || echo "$count $1" > "$ui.request"
        sleep 0.1
    done
}
focus() {
    window=
    tries=0
    while [ -z "$window" ]; do
        tries=$((tries + 1))
        [ $tries -lt 50 ] || { cat "$WORK/program.log" >&2; exit 1; }
        sleep 0.5
        window=$(xdotool search --onlyvisible --name 'Orrery' 2>/dev/null | tail -1) || true
        # The first window that answers is not always the one that stays.
        [ -z "$window" ] || xdotool windowmove "$window" 0 0 windowfocus "$window" 2>/dev/null ||
            window=
    done
}
start() {
    "$PROGRAM" "$@" --theme "${theme:-light}" --workspace "$space" --no-restore \
        --dump-ui "$ui" 2> "$WORK/program.log" &
    pid=$!
    focus
    settle
}
end() {
    kill "$pid"
    wait "$pid" || true
    rm -f "$ui" "$ui.request"
}
key() { xdotool key --clearmodifiers "$@"; sleep 0.3; settle; }
# palette TEXT: what the field for anything finds for it
palette() {
    xdotool key --clearmodifiers ctrl+k
    sleep 0.5
    xdotool type --delay 20 "$1"
    sleep 0.8
    xdotool key --clearmodifiers Return
    sleep 2
}
# perspective NAME KEY: goes there, and says so where the window went elsewhere after that
perspective() {
    key "$2"
    [ "$(jq -r .perspective "$ui")" = "$1" ] || { echo "the window does not show $1" >&2; exit 1; }
}
# rect NAME: "x y width height" of a shown widget in the window
rect() {
    found=$(jq -r --arg name "$1" 'first(.widgets[] | select(.name == $name)) | .rect
        | map(tostring) | join(" ")' "$ui")
    [ -n "$found" ] || { echo "the window does not show $1" >&2; exit 1; }
    echo "$found"
}
click() {
    set -- $(rect "$1") "${2:-50}" "${3:-50}"
    xdotool mousemove $(($1 + $3 * $5 / 100)) $(($2 + $4 * $6 / 100)) click 1
    sleep 0.3
    settle
}
# picture NAME WIDGET WIDTH [COLOURS]: what the widget shows, at most WIDTH pixels wide
picture() {
    if [ "$2" = window ]; then
        set -- "$1" "$2" "$3" "${4:-128}" 0 0 1440 900
    else
        set -- "$1" "$2" "$3" "${4:-128}" $(rect "$2")
    fi
    import -window root "$WORK/shot.png"
    convert "$WORK/shot.png" -crop "$7x$8+$5+$6" +repage -resize "$3x>" -dither None \
        -colors "$4" -strip -define png:compression-level=9 "PNG8:$OUT/$1.png"
    rm -f "$WORK/shot.png"
}
# readme NAME: the whole window, in all its colours
readme() {
    import -window root -crop 1440x900+0+0 +repage -strip -define png:compression-level=9 \
        "$SHOTS/$1.png"
}
xdotool mousemove 1500 950

space=$WORK/readme.orrery
for theme in light dark; do
    start builtin:magic_garden --size 1440x900
    key ctrl+3
    key F5
    readme "plan-$theme"
    for i in 1 2 3 4; do key F9; done
    key ctrl+2
    readme "world-$theme"
    end
done
theme=light
start --perspective home --size 1440x900
click run_study
perspective compare ctrl+5
readme compare-light
perspective home ctrl+1
readme home-light
end

space=$WORK/pictures.orrery

start --perspective home --size 1440x900
key ctrl+1
picture home window 760 64
end

start builtin:magic_garden --size 1440x900
key ctrl+3
key F5
for i in 1 2 3; do key F9; done
picture plan window 760 96
picture level_bands stateGraph 760
picture state_graph stateView 620
picture inspector panel_inspector 340
picture timeline timeline 760
key ctrl+f
xdotool type --delay 20 'human0.at(4,1) and step < 6'
key Return
picture predicates stateGraph 760
click field_beta_r
key ctrl+a
xdotool type 5
key Tab
picture solver panel_solver 260
key F5
key ctrl+shift+x
key shift+Tab
key Prior
picture parameters window 760 96
key ctrl+k
xdotool type 'show solver timeline'
key Return
picture solver_timeline solverTimeline 760
key ctrl+2
picture world worldPanel 620
click worldView
key p
picture play worldPanel 620
key Escape
key F4
picture editor window 760 96
key Escape
key ctrl+3
key ctrl+k
xdotool type '>episode values'
key Return
picture episode episodeValues 620
key ctrl+k
xdotool type '>simulate'
key Return
click sampleRun
picture simulation pathSampler 620
key ctrl+5
picture compare window 760 96
key ctrl+k
xdotool type '>log of actions'
key Return
picture log panel_log 760 64
key ctrl+2
key ctrl+shift+e
picture export window 760 96
end

space=$WORK/sweep.orrery
"$PROGRAM" solve first_steps --sweep beta_r=1,2,5,10 --sweep zeta=1,2,3 \
    --workspace "$space" > "$WORK/sweep.log"
start builtin:first_steps --size 1440x900
key ctrl+5
click parameterTabs 52 5
picture heat_table parameterTabs 420
end

space=$WORK/train.orrery
start --perspective home --size 1440x900
set -- $(rect run_training)
xdotool mousemove $(($1 + $3 / 2)) $(($2 + $4 / 2)) click 1
xdotool mousemove 1500 950
sleep 25
look
picture train window 760 96
readme train-light
palette '>show pipeline'
look
picture pipeline pipelineView 760
palette '>show replay buffer'
look
picture replay replayBrowser 760 96
xdotool key --clearmodifiers shift+F5
sleep 4
look
click messageClose
palette '>show exact against learned'
sleep 4
look
picture learned learned 760 96
palette '>show profile'
look
picture profile profile 760
end
DRIVE
xvfb-run -a -s "-screen 0 1600x1000x24" sh "$work/drive.sh"
ls -l "$out" "$shots"
