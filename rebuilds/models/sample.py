from django.db import models


class Sample(models.Model):
    """The newest look at some of a leaderboard's entries, drawn at random: how far its boards have drifted from the totals."""

    leaderboard = models.OneToOneField(
        "scoring.Leaderboard", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    sampled_at = models.DateTimeField()
    compared = models.PositiveIntegerField(help_text="Entries looked at.")
    differing = models.PositiveIntegerField(help_text="Of these, missing, extra or different at a second look too.")

    def __str__(self) -> str:
        return f"{self.differing} of {self.compared}"
