"""Brazilian Portuguese."""

DATETIME_FORMAT = "d/m/Y H:i:s \\U\\T\\C"
MONTH_DAY_FORMAT = "d/m"
