#!/usr/bin/env bash
# installed.sh BUILD: installs into an empty folder, looks for every part, lets the desktop's validators
# judge them and starts the installed program away from the source.
set -euo pipefail
build=$1
prefix=$(mktemp -d "${TMPDIR:-/tmp}/orrery-installed.XXXXXX")
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null
share=$prefix/share
id=org.orrery.Orrery
fail() {
    echo "FAIL: $*"
    exit 1
}

# What validators print goes to the log; their status judges.
desktop-file-validate "$share/applications/$id.desktop" || fail "the desktop file"
appstreamcli validate --no-net "$share/metainfo/$id.metainfo.xml" || fail "the metainfo"
echo "PASS: desktop file and metainfo are valid"

for size in 16 22 24 32 48 64 128 256 512; do
    for icon in "apps/$id" mimetypes/application-vnd.orrery.workspace+sqlite3 \
        mimetypes/application-vnd.orrery.world+yaml; do
        file=$share/icons/hicolor/${size}x$size/$icon.png
        # The width stands at byte 16 of a PNG, four bytes, the highest first.
        width=$((16#$(od -An -j16 -N4 -tx1 "$file" | tr -d ' \n')))
        ((width == size)) || fail "$file is $width pixels wide"
    done
done
for file in icons/hicolor/scalable/apps/$id.svg icons/hicolor/symbolic/apps/$id-symbolic.svg \
    doc/orrery/copyright doc/orrery/CITATION.cff man/man1/orrery.1 orrery/worlds/first_steps.yaml \
    orrery/specs/entity/cart_pole.yaml \
    orrery/help/index.html bash-completion/completions/orrery zsh/site-functions/_orrery \
    fish/vendor_completions.d/orrery.fish; do
    [[ -s $share/$file ]] || fail "share/$file is missing"
done
echo "PASS: icons, manual page, worlds and help are in their places"

# File types: the database of a workspace is known by its content, worlds and figures by their names.
update-mime-database "$share/mime"
for type in workspace+sqlite3 world+yaml figure+json; do
    [[ -s $share/mime/application/vnd.orrery.$type.xml ]] || fail "the type $type is not known"
    [[ $type == figure+json ]] || grep -q "vnd.orrery.$type;" "$share/applications/$id.desktop" ||
        fail "the desktop file does not open $type"
done
cd "$prefix"
"$prefix/bin/orrery" solve first_steps --workspace here.orrery --no-plot >/dev/null
magic=$(od -An -c -j68 -N4 here.orrery/workspace.db | tr -d ' ')
[[ $magic == ORRY ]] || fail "a database's mark is $magic"
grep -q 'value="ORRY" offset="68"' "$share/mime/packages/$id.xml" || fail "the mark is not in the type"
echo "PASS: file types are registered and match what the program writes"

[[ $("$prefix/bin/orrery" doctor 2>&1 || true) == *"$prefix/share/orrery"* ]] ||
    fail "the program does not use the installed worlds"
"$prefix/bin/orrery" world show two_in_niches >/dev/null
[[ -e $prefix/share/orrery/specs/environment_protocol.md && ! -e $prefix/share/orrery/python/orrery_env/__pycache__ &&
    $(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$prefix/share/orrery/python python3 -m orrery_env 2>&1 || true) == usage:* ]] ||
    fail "what serves games in Python is not installed"
core=$prefix/lib/orrery/liborrery_core.so
learners=$prefix/lib/orrery/liborrery_learn.so
[[ -e $core && $(ldd "$prefix/bin/orrery") == *"liborrery_core.so => $prefix/"* ]] ||
    fail "the program does not take core's rooms from $core"
echo "PASS: the program takes core's rooms from the library beside it"
if [[ -e $learners ]]; then
    [[ $(ldd "$learners") == *"liborrery_core.so => $prefix/"* ]] ||
        fail "the learners do not take core's rooms from $core"
    # How many functions of the lowest and the largest rooms a library has.
    functions() { nm -C --defined-only "$1" | grep -cE ' [Tt] orrery::(explore|solve|crc32c)\(' || true; }
    (($(functions "$core") >= 3)) || fail "$core does not hold core's rooms"
    (($(functions "$learners") == 0)) || fail "the learners' library has functions of core's rooms, too"
    echo "PASS: program and learners share one copy of core's rooms"
    # Nothing of LibTorch may come from where it was built.
    # Without addresses, which may have a "c10" in them.
    foreign=$(ldd "$learners" | sed 's/ (0x.*//' | grep -E 'torch|c10|cudart|cupti' |
        grep -v "=> $prefix/" || true)
    [[ -z $foreign ]] || fail "the learners' library takes $foreign"
    "$prefix/bin/orrery" train first_steps --tabular --num-training-steps 50 \
        --workspace here.orrery >/dev/null || fail "the installed program does not train"
    echo "PASS: the installed program trains with the LibTorch that lies beside it"

    # Kernels for a GPU are installed where they were built, and nothing needs them.
    kernels=$prefix/lib/orrery/liborrery_cuda.so
    if [[ -e $build/lib/liborrery_cuda.so ]]; then
        [[ -e $kernels ]] || fail "the kernels were built, but not installed"
        foreign=$(ldd "$kernels" | grep -E 'cudart' | grep -v "=> $prefix/" || true)
        [[ -z $foreign ]] || fail "the kernels take $foreign"
    fi
    without_gpu() {
        status=0
        message=$(CUDA_VISIBLE_DEVICES='' "$prefix/bin/orrery" train first_steps --device "$1" \
            --num-training-steps 20 --hidden-dim 16 --batch-size 4 --no-history 2>&1 >/dev/null) ||
            status=$?
    }
    for present in yes no; do
        [[ $present == yes ]] || rm -f "$kernels"
        without_gpu cuda
        ((status == 6)) || fail "--device cuda without a GPU ends with $status: $message"
        [[ $(wc -l <<<"$message") == 1 && $message == *"No GPU can be used"*"--device cpu"* ]] ||
            fail "--device cuda without a GPU says: $message"
        without_gpu auto
        ((status == 0)) || fail "--device auto without a GPU ends with $status: $message"
    done
    echo "PASS: without a GPU, and without the kernels, training on one ends in one line"
fi
echo "PASS: the installed program finds its data"
