"""Pages of the review: a player, and a decision on its way from a question over a preview to being made."""

import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from boards.review.actions import Action
from boards.review.forms import AdjustForm, DecisionForm
from boards.review.page import ChosenMatch, load_page
from boards.review.totals import load_standings
from scoring.errors import LeaderboardError
from scoring.models import Player, ReviewState
from scoring.moderation.decisions import Corrected, Decision
from scoring.read_only_admin import ReadOnlyAdmin
from scoring.rules import load_rules
from scoring.submissions import ID_PATTERN

WIDE = {"is_nav_sidebar_enabled": False}
"""The list of models gives its room to the tables."""

MOST_AT_ONCE = 100
CONFIRM, BACK = "_confirm", "_back"
LINKED = ("leaderboard", "match")
"""What a link to a form may fill in."""


def show_player(admin: ReadOnlyAdmin, request: HttpRequest, player: Player, may_decide: bool) -> HttpResponse:
    """The review page of one player."""
    page = load_page(player, _chosen(request), timezone.now())
    context = {
        **_context(admin, request, player.name or player.player_id),
        "page": page,
        "player": player,
        "may_decide": may_decide and _can_be_decided(player),
    }
    return TemplateResponse(request, "admin/scoring/player/review.html", context)


def _chosen(request: HttpRequest) -> ChosenMatch | None:
    match_id = request.GET.get("match", "")
    return ChosenMatch(request.GET.get("leaderboard", ""), match_id) if re.match(ID_PATTERN, match_id) else None


def decide(admin: ReadOnlyAdmin, request: HttpRequest, player: Player, action: Action) -> HttpResponse:
    """One decision about one player: asked for, previewed, made; each step is a POST of the whole form."""
    page_url = reverse("admin:scoring_player_change", args=[player.pk])
    if not _can_be_decided(player):
        messages.error(request, "Nothing can be decided about an account that was erased or merged into another.")
        return HttpResponseRedirect(page_url)
    form = _form(action, request)
    foreseen = None
    if request.method == "POST" and BACK not in request.POST and form.is_valid():
        try:
            decision = _decision(request, form, timezone.now())
            if CONFIRM in request.POST:
                _tell(request, action, action.carry_out(player, form.cleaned_data, decision))
                return HttpResponseRedirect(page_url)
            foreseen = action.foresee(player, form.cleaned_data, decision)
        except LeaderboardError as error:
            form.add_error(None, error.detail)
    rules_by_id = {rules.leaderboard_id: rules for rules in load_rules().values()}
    context = {
        **_context(admin, request, f"{action.title}: {player.name or player.player_id}"),
        "player": player,
        "page_url": page_url,
        "action": action,
        "form": form,
        "foreseen": foreseen,
        "standings": load_standings(player, rules_by_id, timezone.now()) if action.moves_player else None,
    }
    return TemplateResponse(request, "admin/scoring/player/decide.html", context)


def decide_many(admin: ReadOnlyAdmin, request: HttpRequest, action: Action) -> HttpResponse | None:
    """One decision, with one reason, about each of the chosen players. None sends the reviewer back to the list."""
    chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
    if len(chosen) > MOST_AT_ONCE:
        messages.error(request, f"At most {MOST_AT_ONCE} players at once.")
        return None
    # Whatever the list is filtered by: the first click of two may have changed that.
    players = [player for player in Player.objects.filter(pk__in=chosen) if _can_be_decided(player)]
    if len(players) < len(chosen):
        messages.warning(request, f"{len(chosen) - len(players)} left out: erased, or merged into another account.")
    if not players:
        return None
    form = DecisionForm(request.POST) if CONFIRM in request.POST else DecisionForm()
    if form.is_bound and form.is_valid():
        _decide_each(request, action, players, _decision(request, form, timezone.now()))
        return None
    context = {
        **_context(admin, request, f"{action.title} {len(players)} players"),
        "players": players,
        "action": action,
        "action_name": request.POST.get("action", ""),
        "action_checkbox_name": ACTION_CHECKBOX_NAME,
        "form": form,
    }
    return TemplateResponse(request, "admin/scoring/player/decide_many.html", context)


def _decide_each(request: HttpRequest, action: Action, players: list[Player], decision: Decision) -> None:
    done = repeated = 0
    for player in players:
        key = f"{decision.idempotency_key}:{player.pk}"
        try:
            corrected = action.carry_out(player, {}, replace(decision, idempotency_key=key))
        except LeaderboardError as error:
            messages.error(request, error.detail)
        else:
            repeated += corrected.is_repeat
            done += not corrected.is_repeat
    if done:
        messages.success(request, f"{action.title}: {done} done. The boards follow within moments.")
    if repeated:
        messages.warning(request, f"{action.title}: {repeated} done already; nothing was done twice.")


def _can_be_decided(player: Player) -> bool:
    return player.review_state != ReviewState.ERASED and player.merged_into_id is None


def _form(action: Action, request: HttpRequest) -> DecisionForm:
    """Filled from what was sent; a void's match is named by the link that leads here."""
    if request.method == "POST":
        form = action.form(request.POST)
    else:
        form = action.form(initial={name: request.GET[name] for name in LINKED if name in request.GET})
    if isinstance(form, AdjustForm):
        form.offer(load_rules().values())
    return form


def _decision(request: HttpRequest, form: DecisionForm, now: datetime) -> Decision:
    return Decision(
        made_by=f"admin {request.user.get_username()}",
        reason=form.cleaned_data["reason"],
        made_at=now,
        idempotency_key=form.cleaned_data["key"].hex,
    )


def _tell(request: HttpRequest, action: Action, corrected: Corrected) -> None:
    # Without the player, who is on the page anyway: messages are kept in cookies and sessions.
    if corrected.is_repeat:
        messages.warning(request, f"{action.title}: this was done already; nothing was done twice.")
    elif corrected.correction.finished_at:
        messages.success(request, f"{action.title}: done. The boards follow within moments.")
    else:
        messages.success(request, f"{action.title}: begun. So large a match is finished in the background.")


def _context(admin: ReadOnlyAdmin, request: HttpRequest, title: str) -> dict[str, Any]:
    return {**admin.admin_site.each_context(request), **WIDE, "title": title, "opts": admin.opts}
