-- Version 3 of workspace.db: the kind of a run, what happened as data, and curves by number.
ALTER TABLE run ADD COLUMN kind TEXT NOT NULL DEFAULT '';  -- its section in config_json: 'solve'; '': not known

-- step: of the run, where the event belongs to one. data: JSON, where programs have to know what
-- happened; text says the same to people.
ALTER TABLE event ADD COLUMN step INTEGER;
ALTER TABLE event ADD COLUMN data TEXT;

CREATE TABLE curve(
    id  INTEGER PRIMARY KEY,
    run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    UNIQUE (run, key)
) STRICT;

-- flag: 0 finite, 1 NaN, 2 +infinity, 3 -infinity; value is NULL unless finite.
CREATE TABLE point(
    curve INTEGER NOT NULL REFERENCES curve(id) ON DELETE CASCADE,
    seq   INTEGER NOT NULL,
    step  INTEGER NOT NULL,
    value REAL,
    flag  INTEGER NOT NULL DEFAULT 0 CHECK (flag BETWEEN 0 AND 3),
    PRIMARY KEY (curve, seq),
    CHECK ((value IS NULL) = (flag <> 0))
) STRICT, WITHOUT ROWID;

-- Both are read and written in one order.
INSERT INTO curve(run, key) SELECT run, key FROM metric GROUP BY run, key ORDER BY run, key;
INSERT INTO point(curve, seq, step, value, flag)
    SELECT curve.id, metric.seq, metric.step, metric.value, metric.flag
    FROM curve CROSS JOIN metric ON metric.run = curve.run AND metric.key = curve.key
    ORDER BY curve.id, metric.seq;

-- Points of a run that has ended, up to 4,096 of a curve together. Of point i, counted from 0, seq and
-- step are base + i * gap + an unsigned number of `width` bytes, 4 at most; the value is 8 bytes of IEEE
-- 754. The most significant byte is first.
CREATE TABLE chunk(
    id         INTEGER PRIMARY KEY,
    curve      INTEGER NOT NULL REFERENCES curve(id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,  -- of its first point
    last_seq   INTEGER NOT NULL,  -- of its last point, with that point as above
    last_step  INTEGER NOT NULL,
    last_value REAL,
    last_flag  INTEGER NOT NULL CHECK ((last_value IS NULL) = (last_flag <> 0)),
    count      INTEGER NOT NULL CHECK (count BETWEEN 1 AND 4096),
    seq_base   INTEGER NOT NULL,
    seq_gap    INTEGER NOT NULL,
    seq_width  INTEGER NOT NULL CHECK (seq_width BETWEEN 0 AND 4),
    seqs       BLOB    NOT NULL CHECK (length(seqs) = count * seq_width),
    step_base  INTEGER NOT NULL,
    step_gap   INTEGER NOT NULL,
    step_width INTEGER NOT NULL CHECK (step_width BETWEEN 0 AND 4),
    steps      BLOB    NOT NULL CHECK (length(steps) = count * step_width),
    vals       BLOB    NOT NULL CHECK (length(vals) = count * 8),
    UNIQUE (curve, seq)
) STRICT;

DROP VIEW v_runs;
DROP VIEW v_latest;
DROP TABLE metric;

-- 2 to the power of max(exponent, 1) - 1075: what an integer of 53 bits is multiplied by in IEEE 754.
CREATE TABLE power(exponent INTEGER PRIMARY KEY, value REAL NOT NULL) STRICT;
INSERT INTO power(exponent, value)
    WITH RECURSIVE p(exponent, value) AS (
        SELECT 1, 4.9406564584124654e-324
        UNION ALL SELECT exponent + 1, value * 2 FROM p WHERE exponent < 2046)
    SELECT 0, 4.9406564584124654e-324 UNION ALL SELECT exponent, value FROM p;

CREATE VIEW chunk_digits AS
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 63),
    part AS MATERIALIZED (
        SELECT chunk.curve, 64 * n.i AS first, min(64, chunk.count - 64 * n.i) AS count,
               seq_base, seq_gap, seq_width, step_base, step_gap, step_width,
               substr(seqs, 1 + 64 * n.i * seq_width, 64 * seq_width) AS seqs,
               substr(steps, 1 + 64 * n.i * step_width, 64 * step_width) AS steps,
               substr(vals, 1 + 512 * n.i, 512) AS vals
        FROM chunk JOIN n ON 64 * n.i < chunk.count)
    SELECT part.curve, seq_base + (first + n.i) * seq_gap AS seq,
           step_base + (first + n.i) * step_gap AS step,
           substr('00000000' || hex(substr(seqs, 1 + n.i * seq_width, seq_width)), -8) AS s,
           substr('00000000' || hex(substr(steps, 1 + n.i * step_width, step_width)), -8) AS t,
           hex(substr(vals, 1 + 8 * n.i, 8)) AS v
    FROM part JOIN n ON n.i < part.count;
CREATE VIEW chunk_point AS
    SELECT curve,
           seq +
           ((instr('123456789ABCDEF', substr(s, 1, 1)) << 28)
            | (instr('123456789ABCDEF', substr(s, 2, 1)) << 24)
            | (instr('123456789ABCDEF', substr(s, 3, 1)) << 20)
            | (instr('123456789ABCDEF', substr(s, 4, 1)) << 16)
            | (instr('123456789ABCDEF', substr(s, 5, 1)) << 12)
            | (instr('123456789ABCDEF', substr(s, 6, 1)) << 8)
            | (instr('123456789ABCDEF', substr(s, 7, 1)) << 4)
            | (instr('123456789ABCDEF', substr(s, 8, 1)))) AS seq,
           step +
           ((instr('123456789ABCDEF', substr(t, 1, 1)) << 28)
            | (instr('123456789ABCDEF', substr(t, 2, 1)) << 24)
            | (instr('123456789ABCDEF', substr(t, 3, 1)) << 20)
            | (instr('123456789ABCDEF', substr(t, 4, 1)) << 16)
            | (instr('123456789ABCDEF', substr(t, 5, 1)) << 12)
            | (instr('123456789ABCDEF', substr(t, 6, 1)) << 8)
            | (instr('123456789ABCDEF', substr(t, 7, 1)) << 4)
            | (instr('123456789ABCDEF', substr(t, 8, 1)))) AS step,
           CASE WHEN v < '8' THEN 1.0 ELSE -1.0 END *
           (CASE WHEN substr(v, 1, 3) IN ('000', '800') THEN 0 ELSE 4503599627370496 END
            | ((instr('123456789ABCDEF', substr(v, 4, 1)) << 48)
            | (instr('123456789ABCDEF', substr(v, 5, 1)) << 44)
            | (instr('123456789ABCDEF', substr(v, 6, 1)) << 40)
            | (instr('123456789ABCDEF', substr(v, 7, 1)) << 36)
            | (instr('123456789ABCDEF', substr(v, 8, 1)) << 32)
            | (instr('123456789ABCDEF', substr(v, 9, 1)) << 28)
            | (instr('123456789ABCDEF', substr(v, 10, 1)) << 24)
            | (instr('123456789ABCDEF', substr(v, 11, 1)) << 20)
            | (instr('123456789ABCDEF', substr(v, 12, 1)) << 16)
            | (instr('123456789ABCDEF', substr(v, 13, 1)) << 12)
            | (instr('123456789ABCDEF', substr(v, 14, 1)) << 8)
            | (instr('123456789ABCDEF', substr(v, 15, 1)) << 4)
            | (instr('123456789ABCDEF', substr(v, 16, 1))))) *
           (SELECT value FROM power WHERE exponent =
            (((instr('123456789ABCDEF', substr(v, 1, 1)) << 8)
            | (instr('123456789ABCDEF', substr(v, 2, 1)) << 4)
            | (instr('123456789ABCDEF', substr(v, 3, 1)))) & 2047)) AS value,
           CASE WHEN substr(v, 1, 3) NOT IN ('7FF', 'FFF') THEN 0
                WHEN substr(v, 4) <> '0000000000000' THEN 1
                WHEN v < '8' THEN 2
                ELSE 3 END AS flag
    FROM chunk_digits;

-- For other programs: every point of every curve, every run with its counts, and the newest value of
-- every curve.
CREATE VIEW metric AS
    SELECT curve.run, curve.key, point.seq, point.step, point.value, point.flag
    FROM curve JOIN point ON point.curve = curve.id
    UNION ALL
    SELECT curve.run, curve.key, old.seq, old.step, old.value, old.flag
    FROM curve JOIN chunk_point AS old ON old.curve = curve.id;
CREATE VIEW v_runs AS
    SELECT run.*,
           (SELECT count(*) FROM curve JOIN point ON point.curve = curve.id
            WHERE curve.run = run.id) +
           (SELECT ifnull(sum(chunk.count), 0) FROM curve JOIN chunk ON chunk.curve = curve.id
            WHERE curve.run = run.id) AS metric_rows,
           (SELECT count(*) FROM artefact WHERE artefact.run = run.id) AS artefacts,
           (SELECT group_concat(tag, ', ') FROM tag WHERE tag.run = run.id) AS tags
    FROM run;
CREATE VIEW v_latest AS
    SELECT curve.run, curve.key, p.seq, p.step, p.value, p.flag
    FROM curve JOIN point AS p ON p.curve = curve.id
         AND p.seq = (SELECT max(seq) FROM point WHERE point.curve = curve.id)
    UNION ALL
    SELECT curve.run, curve.key, c.last_seq, c.last_step, c.last_value, c.last_flag
    FROM curve JOIN chunk AS c ON c.curve = curve.id
         AND c.seq = (SELECT max(seq) FROM chunk WHERE chunk.curve = curve.id)
    WHERE NOT EXISTS (SELECT 1 FROM point WHERE point.curve = curve.id);
