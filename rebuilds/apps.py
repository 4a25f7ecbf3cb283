from django.apps import AppConfig


class RebuildsConfig(AppConfig):
    name = "rebuilds"
    verbose_name = "Rebuilds (the repair)"
