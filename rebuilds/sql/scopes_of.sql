        -- The boards of whoever is in `shown`.
        SELECT 'global' AS scope
        UNION ALL
        SELECT wanted.name || ':' || (shown.segments ->> wanted.name)
        FROM unnest(%(scopes)s::text[]) AS wanted (name)
        WHERE shown.segments ->> wanted.name IS NOT NULL
