-- archive_period: the final standings of one period, all its boards, in one statement and so from one snapshot.
-- Takes  period_id; revision, larger than that of any archive of it; shown_state: of players who are on boards; scopes: names
--        of segments that have boards; direction, 1 or -1: points times it are higher when they are better;
--        number_sign: 1 if of equal points the smaller acceptance number ranks higher, -1 if the larger one, 0 if equal
--        points share a rank.
-- Gives  how many boards and entries were written.
-- Who was in an archive of the period before stays on those boards: a player who has moved since was ranked where he was.
WITH former AS (
    SELECT e.player_id, array_agg(b.scope) AS scopes
    FROM boards_archivedboard b
    CROSS JOIN LATERAL (SELECT player_id FROM boards_archivedentry WHERE board_id = b.id OFFSET 0) e
    WHERE b.archived_period_id = %(period_id)s::bigint
    GROUP BY e.player_id
),
total AS MATERIALIZED (
    SELECT t.*, former.scopes
    FROM (
        SELECT t.player_id, t.points, t.accept_no, t.details, p.segments, p.player_id AS shown_id
        FROM scoring_total t
        JOIN scoring_player p ON p.id = t.player_id
        WHERE t.period_id = %(period_id)s::bigint AND p.review_state = %(shown_state)s::int
    ) t
    -- So that each is not compared with each (see snapshot_period).
    FULL JOIN former ON former.player_id = t.player_id
),
shown AS (
    -- Not those of whom nothing is left.
    SELECT * FROM total WHERE player_id IS NOT NULL
),
on_board AS MATERIALIZED (
    SELECT s.scope, shown.player_id, shown.points, shown.accept_no, shown.details, shown.shown_id
    FROM shown
    CROSS JOIN LATERAL (
        SELECT unnest(shown.scopes) AS scope
        UNION ALL
        SELECT own.scope
        FROM (
/*scopes*/
        ) own
        WHERE shown.scopes IS NULL
    ) s
),
board AS (
    INSERT INTO boards_archivedboard (archived_period_id, scope, revision, players)
    SELECT %(period_id)s::bigint, scope, %(revision)s::int, count(*)
    FROM on_board
    GROUP BY scope
    ORDER BY scope
    RETURNING id, scope, players
),
entry AS (
    INSERT INTO boards_archivedentry (board_id, place, rank, player_id, points, accept_no, details)
    SELECT b.id, r.place, r.rank, r.player_id, r.points, r.accept_no, r.details
    FROM (
/*ranked*/
    ) r
    JOIN board b ON b.scope = r.scope COLLATE "C"
)
SELECT count(*), coalesce(sum(players), 0)::bigint
FROM board
