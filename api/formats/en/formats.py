"""English."""

DATETIME_FORMAT = "Y-m-d H:i:s \\U\\T\\C"
MONTH_DAY_FORMAT = "j M"
SHORT_DATE_FORMAT = "j M Y"  # 11/02 is one day to some readers, and another to others
