#!/bin/sh
# make.sh PROGRAM: makes workspace.tar.xz anew, with a program of history schema 2. See README.md.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
space=$work/before.orrery
export HOME="$work" XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state"
orrery() {
    verb=$1
    shift
    "$program" "$verb" "$@" --workspace "$space" > "$work/out" 2>&1 || {
        cat "$work/out" >&2
        exit 1
    }
}
# await RUN STEP: until the live run has done so many steps
await() {
    tries=0
    until "$program" show "$1" --workspace "$space" --json 2> /dev/null |
        jq --argjson step "$2" '([.last_metrics[]?.step] | max // -1) >= $step' | grep -q true; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo "$1 does not reach step $2" >&2; exit 1; }
        sleep 0.1
    done
}

# steered RUN ARGUMENT...: a training that is steered, undone, killed, resumed, steered and stopped
steered() {
    run=$1
    shift
    "$program" train corridor.yaml --workspace "$space" --seed 5 --buffer-size 64 \
        --num-training-steps 1000000 --checkpoint-seconds 2 --kept-checkpoints 1 "$@" > "$work/train" 2>&1 &
    pid=$!
    await "$run" 200
    orrery steer "$run" lr_q_r=0.0005 beta_r=8
    orrery steer "$run" epsilon_r_end=0.1
    orrery steer "$run" --undo
    orrery steer "$run" --pause
    orrery steer "$run" --checkpoint
    orrery steer "$run" --resume
    await "$run" 2000
    kill -9 $pid
    wait $pid 2> /dev/null || true
    "$program" resume "$run" --workspace "$space" > "$work/train" 2>&1 &
    pid=$!
    await "$run" $(($("$program" show "$run" --workspace "$space" --json |
        jq '[.last_metrics[].step] | max') + 500))
    orrery steer "$run" batch_size=16
    orrery steer "$run" --stop
    wait $pid || true
}

cd "$work"
cat > corridor.yaml << 'WORLD'
metadata: {name: Corridor}
map: |
  We We We We We
  We Ay .. Ae We
  We We We We We
max_steps: 4
possible_goals: ["1,1", "2,1", "3,1"]
WORLD
orrery solve corridor.yaml --name solved                          # r00001
printf 'step,loss\n0,1\n10,0.5\n20,0.25\n' > curve.csv
orrery import curve.csv --name imported                           # r00002
orrery solve corridor.yaml --sweep beta_r=2,5                     # r00003, r00004
steered r00005 --stop-step 25000 --tabular --name tables
steered r00006 --stop-step 4000 --hidden-dim 8 --name networks
orrery fork r00005 --from start beta_r=4 stop_step=1500                  # r00007
"$program" verify "$space" >&2
tar --sort=name --owner=0 --group=0 --mtime=@0 -cJf "$here/workspace.tar.xz" before.orrery

# What this program says of it, and how both trainings end where it resumes them.
mkdir "$work/said"
for run in r00001 r00002 r00003 r00004 r00005 r00006 r00007; do
    "$program" show $run --workspace "$space" --json > "said/$run.show.json"
    "$program" export $run --what metrics --workspace "$space" -o "said/$run.metrics.csv" > /dev/null 2>&1
done
for run in r00005 r00006; do
    "$program" resume $run --workspace "$space" > /dev/null 2>&1
    "$program" export $run --what metrics --workspace "$space" -o "said/$run.resumed.csv" > /dev/null
    sha256sum before.orrery/runs/$run/step_*/model.safetensors > "said/$run.weights"
done
tar --sort=name --owner=0 --group=0 --mtime=@0 -C said -cJf "$here/said.tar.xz" .
