"""The one definition of `top_percent`. Pure."""


def top_percent(rank: int, players: int) -> float:
    """In which best share of the board a rank is: 100 · rank / players, rounded up to hundredths.

    Above 0, at most 100, never falling as the rank grows. The best of 300,000 is in the top 0.01 percent, a player alone
    on a board in the top 100. Equal ranks (ties) give equal percentages. ValueError unless 1 <= rank <= players.
    """
    if not 1 <= rank <= players:
        raise ValueError(f"rank {rank} of {players} players")
    return -(-10_000 * rank // players) / 100
