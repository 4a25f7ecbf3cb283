"""What a reviewer fills in for each kind of decision."""

from collections.abc import Iterable
from decimal import Decimal
from uuid import uuid4

from django import forms

from scoring.moderation.decisions import MAX_REASON
from scoring.ranking import Operator
from scoring.rules import Rules


def new_key() -> str:
    return uuid4().hex


class DecisionForm(forms.Form):
    """The key is made when the form is first shown: sent twice, it is one decision."""

    key = forms.UUIDField(initial=new_key, widget=forms.HiddenInput)
    reason = forms.CharField(
        max_length=MAX_REASON, help_text="Kept for good, with your name.", widget=forms.TextInput(attrs={"size": 60})
    )

    def clean_reason(self) -> str:
        reason: str = self.cleaned_data["reason"]
        if not reason.isprintable():
            raise forms.ValidationError("Only printable characters, in one line.")
        return reason

    def in_words(self) -> list[tuple[str, str]]:
        """What was asked for, once it is valid: label and value of each field that people see."""
        return [(str(field.label), _in_words(field)) for field in self.visible_fields() if field.data not in {None, ""}]


def _in_words(field: forms.BoundField) -> str:
    value = field.form.cleaned_data[field.name]
    if isinstance(value, bool):
        return "yes" if value else "no"
    choices = getattr(field.field, "choices", ())
    return str(dict(choices).get(value, value))


class ReopenableForm(DecisionForm):
    reopen = forms.BooleanField(
        required=False, label="Also where periods are closed", help_text="Their archives are made anew."
    )


class VoidForm(ReopenableForm):
    PLAYER, ALL = "player", "all"

    leaderboard = forms.CharField(max_length=32, widget=forms.HiddenInput)
    match = forms.CharField(max_length=64, widget=forms.HiddenInput)
    whom = forms.ChoiceField(
        label="For whom",
        choices=[(PLAYER, "this player"), (ALL, "all who played it")],
        initial=PLAYER,
        widget=forms.RadioSelect,
    )

    field_order = ("key", "leaderboard", "match", "whom", "reopen", "reason")


class AdjustForm(ReopenableForm):
    leaderboard = forms.ChoiceField(help_text="Only where points add up.")
    points = forms.DecimalField(
        max_digits=22,
        help_text="Added to the totals; negative for a penalty.",
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    occurred_at = forms.DateTimeField(
        required=False,
        label="As of (UTC)",
        help_text="Decides the periods that it counts in. Empty: now.",
        widget=forms.DateTimeInput(attrs={"placeholder": "2026-10-19 14:45"}),
    )

    field_order = ("key", "leaderboard", "points", "occurred_at", "reopen", "reason")

    def offer(self, leaderboards: Iterable[Rules]) -> None:
        """The leaderboards to choose from."""
        field = self.fields["leaderboard"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (rules.slug, rules.name or rules.slug) for rules in leaderboards if rules.operator is Operator.ADD
        ]

    def clean_points(self) -> Decimal:
        points: Decimal = self.cleaned_data["points"]
        if not points:
            raise forms.ValidationError("0 points would change nothing.")
        return points
