from django.apps import AppConfig


class BoardsConfig(AppConfig):
    name = "boards"
    verbose_name = "Boards (the view: Redis)"

    def ready(self) -> None:
        # Here and not above: the tasks need the apps to be loaded.
        from boards.archive_erasure import erase_archived_details
        from boards.nudge import Nudger
        from boards.tasks import send_nudge
        from scoring.moderation.erasing import on_erase
        from scoring.outbox import on_announce

        on_announce(Nudger(send_nudge).nudge)
        on_erase(erase_archived_details)
