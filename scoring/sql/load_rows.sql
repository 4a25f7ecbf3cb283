-- load_rows: all that decides what boards show of these players, as of one moment.
-- Takes  players: primary keys; period_ids: of which periods.
-- Gives  a row for each total: player_id, segments (text), former_scopes, review_state, period_id, points, accept_no,
--        epoch (the player's and the total's, added up).
-- One statement, so that state and epoch are of the same snapshot: a row read between the two would pass any fence.
SELECT
    p.player_id, p.segments::text, p.former_scopes, p.review_state,
    t.period_id, t.points, t.accept_no, p.epoch + t.epoch
FROM unnest(%(players)s::bigint[]) AS wanted (id)
JOIN scoring_player p ON p.id = wanted.id
CROSS JOIN unnest(%(period_ids)s::int[]) AS w (id)
JOIN scoring_total t ON t.period_id = w.id AND t.player_id = p.id
