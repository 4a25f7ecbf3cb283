"""What a game may send in one call, drawn."""

from hypothesis import strategies as st

# Ids that differ only in case, and one that another begins with.
PLAYERS = ["ann", "Ann", "ANN", "an", "bob", "b.1"]

batches = st.lists(
    st.fixed_dictionaries(
        {
            "player": st.sampled_from(PLAYERS),
            "match_id": st.integers(1, 5).map("m{}".format),
            # Few different ones, for ties; and some that lead to the ends of the range, or beyond.
            "units": st.sampled_from([-2, -1, 0, 0, 1, 1, 2, 2, 900_717, -900_718, 460_000_000, -460_000_000]),
            "minutes_ago": st.sampled_from([0, 0, 0, 1, 4, -1]),
            "name": st.none() | st.none() | st.sampled_from(["A", "B", ""]),
            "segments": st.none() | st.none() | st.sampled_from([{"city": "hyd"}, {"city": "pune"}, {"city": None}]),
            "details": st.none() | st.sampled_from([{"car": "red"}, {"car": "blue"}, {}]),
        }
    ),
    min_size=1,
    max_size=8,
)
