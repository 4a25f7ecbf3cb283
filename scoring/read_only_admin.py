"""The admin of rows that only the service writes, and that may be millions: read-only, and nothing is counted."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import PAGE_VAR, SEARCH_VAR, ChangeList
from django.http import HttpRequest

MOST_PAGES = 200
"""Rows of earlier pages are read too: whoever looks for the ten thousandth should search instead."""


class NextPageChangeList(ChangeList):
    """Knows whether there is a next page, by reading one row more than it shows; never how many rows there are."""

    has_next = False

    def get_results(self, request: HttpRequest) -> None:
        if not 1 <= self.page_num <= MOST_PAGES:
            raise IncorrectLookupParameters
        first = (self.page_num - 1) * self.list_per_page
        rows = list(self.queryset[first : first + self.list_per_page + 1])
        self.has_next = len(rows) > self.list_per_page
        self.result_list = rows[: self.list_per_page]
        self.result_count = len(self.result_list)
        self.full_result_count = None
        self.show_full_result_count = False
        self.show_admin_actions = bool(self.result_list)
        self.can_show_all = False
        self.multi_page = self.has_next or self.page_num > 1
        self.paginator = self.model_admin.get_paginator(request, self.result_list, self.list_per_page)

    @property
    def without_search(self) -> str:
        return self.get_query_string({SEARCH_VAR: None})

    @property
    def previous_page_url(self) -> str | None:
        return self.get_query_string({PAGE_VAR: self.page_num - 1}) if self.page_num > 1 else None

    @property
    def next_page_url(self) -> str | None:
        is_reachable = self.has_next and self.page_num < MOST_PAGES
        return self.get_query_string({PAGE_VAR: self.page_num + 1}) if is_reachable else None


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not generic when Django runs
    """Looking is all that anybody may do here, whatever permissions he has."""

    change_list_template = "admin/scoring/next_page_list.html"
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def get_changelist(self, request: HttpRequest, **_: Any) -> type[ChangeList]:
        return NextPageChangeList

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
