-- load_recent_first: from which outbox event on the newest ones are about so many players together.
-- Takes  players; events: how many to look at.
-- Gives  the event; null if there is none, or if the newest alone is about more players.
SELECT min(id)
FROM (
    SELECT id, sum(player_count) OVER (ORDER BY id DESC) AS players
    FROM (SELECT id, player_count FROM scoring_outboxevent ORDER BY id DESC LIMIT %(events)s) newest
) counted
WHERE players <= %(players)s
