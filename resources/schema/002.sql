-- Version 2 of workspace.db: the trash, and tags of runs.
ALTER TABLE run ADD COLUMN trashed_utc TEXT;  -- NULL: not in the trash

CREATE TABLE tag(
    run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE,
    tag TEXT NOT NULL CHECK (tag <> ''),
    PRIMARY KEY (run, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_by_name ON tag(tag);

-- A run that is deleted leaves no reference to itself behind.
CREATE INDEX run_by_parent ON run(parent);

DROP VIEW v_runs;
CREATE VIEW v_runs AS
    SELECT run.*, (SELECT count(*) FROM metric WHERE metric.run = run.id) AS metric_rows,
           (SELECT count(*) FROM artefact WHERE artefact.run = run.id) AS artefacts,
           (SELECT group_concat(tag, ', ') FROM tag WHERE tag.run = run.id) AS tags
    FROM run;
