-- load_rows: all that decides what boards show of these players, as of one moment.
-- Takes  players: primary keys; period_0, period_1, …: the periods asked for.
-- Gives  one row a player: player_id, segments (text), former_scopes (null for none), review_state, epoch, and then for
--        each period in turn points, accept_no, epoch and details (text) of the total; nulls where the player has none.
-- One statement, so that a player's state and the totals are of the same snapshot: a row put together from two moments
-- could pass a fence that it should not. The part between the markers is repeated for each period (see totals.py): one
-- row a total would send and parse the player's columns again and again.
SELECT p.player_id, p.segments::text, nullif(p.former_scopes, '{}'), p.review_state, p.epoch/*columns*/
FROM unnest(%(players)s::bigint[]) AS wanted (id)
CROSS JOIN LATERAL (SELECT * FROM scoring_player WHERE id = wanted.id OFFSET 0) p
/*joins*/
