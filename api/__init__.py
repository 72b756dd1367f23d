"""The service that owns every row: pages, REST, websockets, admin, model gateway and internal routes."""
