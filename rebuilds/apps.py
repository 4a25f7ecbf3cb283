from django.apps import AppConfig


class RebuildsConfig(AppConfig):
    name = "rebuilds"
    verbose_name = "Rebuilds (the repair)"

    def ready(self) -> None:
        # Here and not above: models need the apps to be loaded.
        from rebuilds.models import BoardJob
        from scoring.moderation.scrubbing import on_scrub

        on_scrub(BoardJob.objects, "problem")
