"""English."""

DATETIME_FORMAT = "Y-m-d H:i:s \\U\\T\\C"
