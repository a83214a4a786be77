-- Version 1 of workspace.db. Times are UTC texts for people; order is by seq and ordinal.

-- Facts about the file itself: created_utc, code_version, last_batch (number of the last committed
-- batch, by which a writer knows after an I/O error whether its commit arrived).
CREATE TABLE meta(
    key   TEXT NOT NULL PRIMARY KEY,
    value ANY
) STRICT, WITHOUT ROWID;

CREATE TABLE run(
    ordinal       INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice
    id            TEXT    NOT NULL UNIQUE,            -- 'r' and the ordinal with five digits or more
    name          TEXT    NOT NULL,
    parent        TEXT    REFERENCES run(id),
    state         TEXT    NOT NULL,
    config_json   TEXT    NOT NULL,
    world_hash    TEXT    NOT NULL,
    code_version  TEXT    NOT NULL,
    seed          INTEGER NOT NULL,                   -- 64 bits, shown as unsigned
    created_utc   TEXT    NOT NULL,
    ended_utc     TEXT,
    heartbeat_seq INTEGER NOT NULL DEFAULT 0,         -- batches written for the run
    heartbeat_utc TEXT,
    last_seq      INTEGER NOT NULL DEFAULT 0,         -- highest seq given to a metric or event
    note          TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX run_by_state ON run(state);

-- flag: 0 finite, 1 NaN, 2 +infinity, 3 -infinity; value is NULL unless finite.
CREATE TABLE metric(
    run   TEXT    NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    key   TEXT    NOT NULL,
    seq   INTEGER NOT NULL,
    step  INTEGER NOT NULL,
    value REAL,
    flag  INTEGER NOT NULL DEFAULT 0 CHECK (flag BETWEEN 0 AND 3),
    PRIMARY KEY (run, key, seq),
    CHECK ((value IS NULL) = (flag <> 0))
) STRICT, WITHOUT ROWID;

CREATE TABLE event(
    run   TEXT    NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    utc   TEXT    NOT NULL,
    level TEXT    NOT NULL,
    code  TEXT    NOT NULL,
    text  TEXT    NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- file is relative to the workspace folder.
CREATE TABLE artefact(
    run    TEXT    NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    kind   TEXT    NOT NULL,
    file   TEXT    NOT NULL,
    sha256 TEXT    NOT NULL,
    bytes  INTEGER NOT NULL,
    PRIMARY KEY (run, file)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint(
    run    TEXT    NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    gen    INTEGER NOT NULL,
    step   INTEGER NOT NULL,
    file   TEXT    NOT NULL,
    sha256 TEXT    NOT NULL,
    bytes  INTEGER NOT NULL,
    state  TEXT    NOT NULL,
    PRIMARY KEY (run, gen)
) STRICT, WITHOUT ROWID;

-- For other programs: every run with its counts, and the newest value of every curve.
CREATE VIEW v_runs AS
    SELECT run.*, (SELECT count(*) FROM metric WHERE metric.run = run.id) AS metric_rows,
           (SELECT count(*) FROM artefact WHERE artefact.run = run.id) AS artefacts
    FROM run;
CREATE VIEW v_latest AS
    SELECT run, key, max(seq) AS seq, step, value, flag FROM metric GROUP BY run, key;
