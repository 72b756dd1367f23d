"""Tests of the websocket, with a real channel layer."""
