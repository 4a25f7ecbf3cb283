from django import template

from scoring.points import Points

register = template.Library()


@register.filter
def grouped(number: Points | float) -> str:
    """With a comma at each thousand, and with all the decimals that there are."""
    return f"{number:,}"
