from django.apps import AppConfig


class BoardsConfig(AppConfig):
    name = "boards"
    verbose_name = "Boards (the view: Redis)"

    def ready(self) -> None:
        # Here and not above: the tasks need the apps to be loaded.
        from boards.nudge import Nudger
        from boards.tasks import send_nudge
        from scoring.outbox import on_announce

        on_announce(Nudger(send_nudge).nudge)
