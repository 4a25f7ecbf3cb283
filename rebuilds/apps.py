from django.apps import AppConfig


class RebuildsConfig(AppConfig):
    name = "rebuilds"
    verbose_name = "Rebuilds (the repair)"

    def ready(self) -> None:
        # Here and not above: models need the apps to be loaded.
        from boards.progress import on_progress
        from rebuilds.jobs import load_percent
        from rebuilds.models import BoardJob
        from rebuilds.snapshot_erasure import erase_copied_details
        from scoring.moderation.erasing import on_erase
        from scoring.moderation.scrubbing import on_scrub

        on_scrub(BoardJob.objects, "problem")
        on_erase(erase_copied_details)
        on_progress(load_percent)
