-- Who of `on_board` is where on each scope's board: all its columns, `place` and `rank`, both from 1.
-- Places are those of Redis, which lists equal scores by player id, the last one first.
    SELECT
        o.*,
        row_number() OVER (
            PARTITION BY o.scope
            ORDER BY
                o.points * %(direction)s::int DESC,
                o.accept_no * %(number_sign)s::int,
                o.shown_id COLLATE "C" DESC
        ) AS place,
        rank() OVER (
            PARTITION BY o.scope
            ORDER BY o.points * %(direction)s::int DESC, o.accept_no * %(number_sign)s::int
        ) AS rank
    FROM on_board o
