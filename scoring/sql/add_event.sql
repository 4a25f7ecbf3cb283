-- add_event: one line of the ledger that no game server sent.
-- Takes  leaderboard_id, match_id, player, points, occurred_at, now.
-- Gives  accept_no.
INSERT INTO scoring_scoreevent (leaderboard_id, match_id, player_id, points, accept_no, occurred_at, accepted_at)
VALUES (
    %(leaderboard_id)s, %(match_id)s, %(player)s, %(points)s, nextval('scoring_accept_no'), %(occurred_at)s, %(now)s
)
RETURNING accept_no
