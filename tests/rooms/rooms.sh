#!/usr/bin/env bash
# rooms.sh ROOT ROOMS: checks the includes of the source tree ROOT against the rooms' USES lists, and
# who includes the headers of ROOT/tests/rooms/restricted_headers.txt.
#
# ROOMS is the file that CMake writes, lowest room first: "<name> <folder>: <used room>... [no_qt]".
# Prints one line a breach and "N includes of M files in R rooms: B breaches"; fails on a breach.
set -euo pipefail
root=$1
rooms=$2
allowed="$(dirname "${BASH_SOURCE[0]}")/widgets_may_include.txt"

# Shell patterns become one regular expression: * is anything within the path.
allowed_regex=$(grep -v '^#' "$allowed" | sed -e 's/\./\\./g' -e 's/\*/[^ ]*/g' | paste -sd'|')

cd "$root"
find core widgets app tests -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
    LC_ALL=C sort -z |
    xargs -0 grep -nH '' |
    awk -v rooms="$rooms" -v restricted=tests/rooms/restricted_headers.txt -v allowed="^($allowed_regex)\$" '
    function breach(text) { print where ": " text; ++breaches }
    # The room of a path: the longest room folder that holds it.
    function roomOf(path,    folder) {
        for (folder = path; sub("/[^/]*$", "", folder);) if (folder in roomAt) return roomAt[folder]
        return ""
    }
    # A shell pattern as a regular expression: * is anything, slashes too.
    function regexOf(pattern) {
        gsub(/[.+]/, "[&]", pattern)
        gsub(/[*]/, ".*", pattern)
        return "^" pattern "$"
    }
    # Lines "<header>...: <file>..."; an indented line names further files.
    function readRestricted(    line, colon, count, i, name) {
        while ((getline line < restricted) > 0) {
            sub(/#.*/, "", line)
            if (line ~ /^[^ \t]/) {
                colon = index(line, ":")
                headers[++numRules] = substr(line, 1, colon - 1)
                line = substr(line, colon + 1)
            }
            count = split(line, name, " ")
            for (i = 1; i <= count; ++i) {
                users[numRules] = users[numRules] " " ++numUsers
                user[numUsers] = name[i]
                userRegex[numUsers] = regexOf(name[i])
                headersOf[numUsers] = headers[numRules]
            }
        }
        if (numRules == 0) { where = restricted; breach("restricts no header") }
    }
    # The rules that speak of a header, as " 1 3".
    function rulesOf(header,    rule, count, i, name) {
        if (header in knownRules) return knownRules[header]
        for (rule = 1; rule <= numRules; ++rule) {
            count = split(headers[rule], name, " ")
            for (i = 1; i <= count; ++i)
                if (header ~ regexOf(name[i])) knownRules[header] = knownRules[header] " " rule
        }
        return knownRules[header] ""
    }
    function checkRestricted(header, path,    rules, numbers, count, i, j, named, isUser) {
        count = split(rulesOf(header), rules, " ")
        for (i = 1; i <= count; ++i) {
            isUser = 0
            named = split(users[rules[i]], numbers, " ")
            for (j = 1; j <= named; ++j)
                if (path ~ userRegex[numbers[j]]) { isUser = 1; isUsed[numbers[j]] = 1 }
            if (!isUser) breach("may not include " header " (see " restricted ")")
        }
    }
    BEGIN {
        readRestricted()
        while ((getline line < rooms) > 0) {
            if (line == "") continue
            colon = index(line, ":")
            split(substr(line, 1, colon - 1), head, " ")
            name = head[1]
            folder = head[2]
            where = "room " name
            count = split(substr(line, colon + 1), used, " ")
            for (i = 1; i <= count; ++i) {
                if (used[i] == "no_qt") { hasNoQt[name] = 1; continue }
                uses[name, used[i]] = 1
                if (!(used[i] in folderOf))
                    breach("uses " used[i] ", which is no lower room: dependencies point down only")
                else if (folder ~ "^core/" && folderOf[used[i]] !~ "^core/")
                    breach("is in core and uses " used[i] " of " folderOf[used[i]])
            }
            folderOf[name] = folder
            roomAt[folder] = name
            ++numRooms
        }
        if (numRooms == 0) { where = rooms; breach("names no room") }
    }
    {
        split($0, part, ":")
        path = part[1]
        if (path != lastPath) {
            lastPath = path
            ++files
            top = path
            sub("/.*", "", top)
            room = roomOf(path)
            where = path
            if (room == "" && path != "app/main.cpp" && top != "tests") breach("is in no room: add it to an orrery_room")
        }
        if ($0 !~ /:[ \t]*#[ \t]*include[ \t]/) next
        target = $0
        sub(/^[^:]*:[0-9]+:[ \t]*#[ \t]*include[ \t]*/, "", target)
        quoted = target ~ /^"/
        target = substr(target, 2)
        sub(/[">].*/, "", target)
        where = path ":" part[2]
        ++includes

        checkRestricted(target, path)
        if (top == "tests") next
        if (top == "core" && !quoted && target ~ /^Q/) breach("core includes Qt: " target)
        if (room in hasNoQt && !quoted && target ~ /^Q/) breach("room " room " includes Qt: " target)
        if (quoted && target ~ /^\.\.?\//) breach("name it from the root of the tree: " target)
        if (target ~ /^app\// && top != "app") breach(top " includes app: " target)
        if (target ~ /^tests\//) breach("only tests include tests: " target)
        if (target !~ /^(core|widgets|app)\//) next

        other = roomOf(target)
        if (other == "") breach("includes a header of no room: " target)
        else if (top == "core" && target ~ /^widgets\//) breach("core includes widgets: " target)
        else if (room != "" && other != room && !((room, other) in uses))
            breach("includes " target ", but room " room " does not say USES " other)
        if (top == "widgets" && target ~ /^core\// && target !~ allowed)
            breach("widgets may not include " target " (see tests/rooms/widgets_may_include.txt)")
    }
    END {
        for (i = 1; i <= numUsers; ++i)
            if (!isUsed[i]) {
                where = restricted
                breach(user[i] " does not include " headersOf[i] ": take it from the list")
            }
        printf "%d includes of %d files in %d rooms: %d breaches\n", includes, files, numRooms, breaches
        exit breaches > 0 || files == 0
    }'
